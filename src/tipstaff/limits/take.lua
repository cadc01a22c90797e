-- A place in every scope, or in none (Enterprise §6.4, §7.7).
-- KEYS: one a scope. ARGV: now (empty: the server's clock), window in seconds, algorithm, the
-- query's name (empty: only look), what doubles may be off by, then one limit a scope.
-- Answers: now, whether places were taken, then of every scope: used, resets at, free at.
local now = tonumber(ARGV[1])
if not now then
  local time = redis.call('TIME')
  now = tonumber(time[1]) + tonumber(time[2]) / 1000000
end
local window, algorithm, name = tonumber(ARGV[2]), ARGV[3], ARGV[4]
local nearly = tonumber(ARGV[5])

-- Lua writes numbers with 14 digits, which is too few for a time in microseconds.
local function said(number)
  return string.format('%.6f', number)
end

local function window_of(key, limit)
  redis.call('ZREMRANGEBYSCORE', key, '-inf', said(now - window))
  local used = redis.call('ZCARD', key)
  local first = redis.call('ZRANGE', key, 0, 0, 'WITHSCORES')
  local oldest = first[2] and tonumber(first[2]) or now
  local free_at = now
  if used >= limit then
    local leaves = now
    if limit > 0 then
      leaves = tonumber(redis.call('ZRANGE', key, used - limit, used - limit, 'WITHSCORES')[2])
    end
    free_at = leaves + window
  end
  return used, oldest + window, free_at
end

local function bucket_of(key, limit)
  local each = limit > 0 and window / limit or window
  local kept = redis.call('HMGET', key, 'left', 'at')
  local left = limit
  if kept[1] and limit > 0 then
    left = math.min(limit, tonumber(kept[1]) + math.max(0, now - tonumber(kept[2])) / each)
  end
  local missing = math.max(0, 1 - left - nearly)
  return limit - math.floor(left + nearly), now + (limit - left) * each, now + missing * each, left
end

local is_window = algorithm == 'sliding_window'
local look = is_window and window_of or bucket_of

local function standing()
  local told, full, left = {}, false, {}
  for at, key in ipairs(KEYS) do
    local used, resets_at, free_at, rest = look(key, tonumber(ARGV[5 + at]))
    full = full or free_at > now
    left[at] = rest
    told[#told + 1] = said(used)
    told[#told + 1] = said(resets_at)
    told[#told + 1] = said(free_at)
  end
  return told, full, left
end

local told, full, left = standing()
local took = 0
if name ~= '' then
  if is_window and redis.call('ZSCORE', KEYS[1], name) then
    took = 1
  elseif not full then
    for at, key in ipairs(KEYS) do
      if is_window then
        redis.call('ZADD', key, said(now), name)
      else
        redis.call('HSET', key, 'left', string.format('%.9f', left[at] - 1), 'at', said(now))
      end
      redis.call('PEXPIRE', key, math.ceil(window * 1000) + 1000)
    end
    took = 1
    told = standing()
  end
end
return {said(now), took, unpack(told)}
