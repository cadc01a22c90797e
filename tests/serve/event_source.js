// What a page does to ask: `given` has the token and two questions, `done` takes what came.
const NAMES = [
  "tip.session.start", "tip.context.loaded", "tip.retrieval.start", "tip.retrieval.chunk",
  "tip.token", "tip.citation", "tip.response.end", "tip.session.end", "tip.error",
];
const came = {events: [], opened: 0, lostAt: 0};
const base = "/tez/small-tez/interrogate";
let path = "";
let tokens = 0;
let ends = 0;

async function post(address, body) {
  const answer = await fetch(address, {
    method: "POST",
    headers: {Authorization: `Bearer ${given.token}`, "Content-Type": "application/json"},
    body: JSON.stringify(body ?? {}),
  });
  const found = await answer.json();
  if (!answer.ok) throw new Error(JSON.stringify(found));
  return found;
}

async function open() {
  const {ticket} = await post(`${path}/ticket`);
  const place = came.events.at(-1)?.id ?? "";
  const source = new EventSource(`${path}/events?ticket=${ticket}&last_event_id=${place}`);
  came.opened += 1;
  for (const name of NAMES) {
    source.addEventListener(name, (event) => {
      if (source.readyState === EventSource.CLOSED) return;
      came.events.push({name, data: event.data, id: event.lastEventId});
      next(name, source).catch(fail);
    });
  }
}

async function next(name, source) {
  if (name === "tip.context.loaded") await post(`${path}/query`, {query: given.question});
  if (name === "tip.token" && ++tokens === 3) {
    source.close();
    came.lostAt = came.events.length;
    await open();
  }
  if (name === "tip.response.end") {
    ends += 1;
    if (ends === 1) await post(`${path}/query`, {query: given.followUp});
    if (ends === 2) came.summary = (await post(`${path}/close`)).summary;
  }
  if (name === "tip.error") throw new Error(came.events.at(-1).data);
  if (name === "tip.session.end") {
    source.close();
    while (!came.summary) await new Promise((resume) => setTimeout(resume, 10));
    done(came);
  }
}

function fail(problem) {
  done({...came, failed: String(problem)});
}

post(`${base}/init`)
  .then((opened) => { path = `${base}/${opened.session_id}`; return open(); })
  .catch(fail);
