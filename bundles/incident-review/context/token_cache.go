// Package auth checks publishing tokens.
package auth

import (
	"context"
	"errors"
	"time"
)

// ErrUnknownToken is returned for a token that the database does not know.
var ErrUnknownToken = errors.New("token unknown")

// CacheConfig is filled from the [cache] section of the configuration.
type CacheConfig struct {
	PositiveTTL int `toml:"positive_ttl"`
	NegativeTTL int `toml:"negative_ttl"`
	MaxEntries  int `toml:"max_entries"`
}

// Checker looks tokens up, remembering both hits and misses.
type Checker struct {
	store  Store // reads from the replica
	shared Cache // survives a restart of the process
	cfg    CacheConfig
}

const negativePrefix = "neg:tok:"

// Check returns the account that owns the token.
func (c *Checker) Check(ctx context.Context, token string) (Account, error) {
	key := digest(token)
	if c.shared.Has(ctx, negativePrefix+key) {
		return Account{}, ErrUnknownToken
	}
	if account, ok := c.shared.Get(ctx, key); ok {
		return account, nil
	}
	account, err := c.store.AccountByToken(ctx, key)
	if errors.Is(err, ErrNoRows) {
		// Scanners try millions of random tokens. Remembering a miss keeps them off the database.
		c.shared.Put(ctx, negativePrefix+key, nil, c.negativeTTL())
		return Account{}, ErrUnknownToken
	}
	if err != nil {
		return Account{}, err
	}
	c.shared.Put(ctx, key, &account, time.Duration(c.cfg.PositiveTTL)*time.Second)
	return account, nil
}

// negativeTTL is how long a miss is remembered.
func (c *Checker) negativeTTL() time.Duration {
	return time.Duration(c.cfg.NegativeTTL) * time.Second
}

// Forget drops what is known of a token. It is called when a token is revoked.
// It is not called when a token is created.
func (c *Checker) Forget(ctx context.Context, token string) {
	c.shared.Delete(ctx, digest(token))
}
