package main

// The table of key events: whether the rules take one, and what follows (docs/keys.md). Times are UNIX seconds.

import (
	"maps"
	"slices"
)

const (
	hour           = 3600
	day            = 24 * hour
	rest           = 30 * day
	usualDelay     = 72
	mostKeyEvents  = 1000
	mostInADay     = 30
	keptEvents     = 20 // for each place above the one of who signs
	keptInADay     = 2
	mostLiveKeys   = 32
	mostRecovery   = 5
	longestAppKey  = 730 * day
	bothKeys       = -1 // the main key and the highest committed key together, above all others
	mainKey        = "main"
	mainFreeze     = 7 * day
	recoveryFreeze = 30 * day
)

// begun is an event that does something later, or until then.
type begun struct {
	event, signer string
	dueAt         float64
	fields        object
}

// commitment is what recovery keys are in force.
type commitment struct {
	recovery []string
	delay    float64 // hours
}

// succession is the Avatar that has come after this one.
type succession struct {
	successor             string
	sinceLink, sincePatch any
}

// addedKey is a key of an app as its newest key.add says.
type addedKey struct {
	fields    object
	isRevoked bool
}

// keyState is what holds for the keys of an Avatar; it is never changed in place.
type keyState struct {
	committed                                *commitment
	pendingCommit, pendingSuccession, frozen *begun
	succession                               *succession
	resting                                  map[string]float64
	mainFreezeFrom                           float64
	counted                                  []float64 // times of the events that count for the limits
	appKeys                                  map[string]addedKey
	order                                    []string // of the keys of apps, as they were first added
}

func (k keyState) recovery() []string {
	if k.committed == nil {
		return nil
	}
	return k.committed.recovery
}

func (k keyState) isFrozen() bool { return k.frozen != nil || k.pendingSuccession != nil }

// rank is 0 for the highest key. A key that is committed no more counts as the lowest recovery key.
func (k keyState) rank(signer string) int {
	keys := k.recovery()
	if signer == mainKey {
		return len(keys)
	}
	if place := slices.Index(keys, signer); place >= 0 {
		return place
	}
	return max(0, len(keys)-1)
}

func commitmentOf(fields object) *commitment {
	hours, _ := fields["delay_hours"].(float64)
	return &commitment{textsOf(fields["recovery"]), hours}
}

// textsOf is a list of texts, or nil.
func textsOf(value any) []string {
	list, _ := value.([]any)
	texts := make([]string, 0, len(list))
	for _, one := range list {
		written, isText := one.(string)
		if !isText {
			return nil
		}
		texts = append(texts, written)
	}
	return texts
}

// settled is the state at a time that is not before its last event.
func (k keyState) settled(now float64) keyState {
	if k.succession != nil {
		return k
	}
	if by := k.pendingSuccession; by != nil && by.dueAt <= now {
		return k.succeeded(by)
	}
	if commit := k.pendingCommit; commit != nil && commit.dueAt <= now {
		k.committed, k.pendingCommit = commitmentOf(commit.fields), nil
	}
	if k.frozen != nil && k.frozen.dueAt <= now {
		k.frozen = nil
	}
	return k
}

func (k keyState) succeeded(by *begun) keyState {
	if commit := k.pendingCommit; commit != nil && commit.dueAt <= by.dueAt {
		k.committed = commitmentOf(commit.fields)
	}
	k.pendingCommit, k.pendingSuccession, k.frozen = nil, nil, nil
	k.succession = &succession{text(by.fields, "successor"), by.fields["since_link"], by.fields["since_patch"]}
	return k
}

// withoutLower leaves out what keys below this rank have pending.
func (k keyState) withoutLower(rank int) keyState {
	behind := k
	if k.pendingCommit != nil && k.rank(k.pendingCommit.signer) > rank {
		behind.pendingCommit = nil
	}
	if k.pendingSuccession != nil && k.rank(k.pendingSuccession.signer) > rank {
		behind.pendingSuccession = nil
	}
	return behind
}

func (k keyState) withRest(signer string, at float64) keyState {
	resting := map[string]float64{}
	maps.Copy(resting, k.resting)
	resting[signer] = at + rest
	k.resting = resting
	return k
}

// liveAppKeys are the names of the keys of apps that are neither revoked nor expired.
func (k keyState) liveAppKeys(at float64) []string {
	return slices.DeleteFunc(slices.Clone(k.order), func(key string) bool {
		end, _ := k.appKeys[key].fields["expires_at"].(float64)
		return k.appKeys[key].isRevoked || at >= end
	})
}

// maySign tells whether a key of an app may sign a patch of this time.
func (k keyState) maySign(key string, at name, time float64) bool {
	known, isKnown := k.appKeys[key]
	end, _ := known.fields["expires_at"].(float64)
	scopes := textsOf(known.fields["scopes"])
	isInScope := slices.Contains(scopes, "kv") || slices.Contains(scopes, "kv:"+at.platform+":"+at.identity)
	return k.succession == nil && isKnown && !known.isRevoked && time < end && isInScope
}

// isEnding tells whether an event only ends what another one began, which counts for no limit.
func isEnding(action string) bool {
	return action == "key.veto" || action == "key.thaw" || action == "key.revoke"
}

// hasRoom tells whether the limits take an event: some are kept for each place above the one of who signs.
func (k keyState) hasRoom(action, signer string, rank int, at float64) bool {
	above := rank + 1
	if signer == mainKey && rank != bothKeys {
		above = mostRecovery + 1
	}
	today := slices.DeleteFunc(slices.Clone(k.counted), func(time float64) bool { return time <= at-day })
	return isEnding(action) ||
		len(k.counted) < mostKeyEvents-above*keptEvents && len(today) < mostInADay-above*keptInADay
}

// count adds an event to those that count.
func (k keyState) count(action string, at float64) keyState {
	if !isEnding(action) {
		k.counted = append(slices.Clone(k.counted), at)
	}
	return k
}

func numberOf(event object, member string) float64 {
	number, _ := event[member].(float64)
	return number
}

// accept answers the state behind an event, and when it is due; false where the rules do not take it.
func (k keyState) accept(event object) (keyState, float64, bool) {
	at, action, signer := numberOf(event, "recorded_at"), text(event, "action"), text(event, "signer")
	fields := event["fields"].(object)
	k = k.settled(at)
	if k.succession != nil {
		return k, 0, false
	}
	if action == "key.add" || action == "key.revoke" {
		behind, isTaken := k.acceptApp(event, fields, at)
		return behind.count(action, at), at, isTaken
	}
	if signer != mainKey && !slices.Contains(k.recovery(), signer) {
		return k, 0, false
	}
	rank := k.rank(signer)
	if cosigner, isBoth := event["cosigner"].(string); isBoth {
		isHighest := len(k.recovery()) > 0 && k.recovery()[0] == cosigner
		if signer != mainKey || !isHighest || action != "key.commit" && action != "key.succeed" {
			return k, 0, false
		}
		rank = bothKeys
	}
	if !k.isTaken(action, signer, fields, rank, at) || !k.hasRoom(action, signer, rank, at) {
		return k, 0, false
	}
	isAtOnce := rank == bothKeys || action == "key.commit" && numberOf(event, "links") == 0 && k.committed == nil
	due := k.dueAt(action, signer, at, isAtOnce)
	by := &begun{text(event, "uuid"), signer, due, fields}
	behind := k.behind(action, by, rank, at, isAtOnce).settled(at)
	return behind.count(action, at), due, true
}

func (k keyState) dueAt(action, signer string, at float64, isAtOnce bool) float64 {
	switch {
	case action == "key.freeze" && signer == mainKey:
		return at + mainFreeze
	case action == "key.freeze":
		return at + recoveryFreeze
	case isAtOnce || action != "key.commit" && action != "key.succeed":
		return at
	case k.committed != nil:
		return at + k.committed.delay*hour
	}
	return at + usualDelay*hour
}

// isFree tells whether no key of this rank or above has the like pending, and none above has begun something.
func (k keyState) isFree(rank int, pending *begun) bool {
	if pending != nil && k.rank(pending.signer) <= rank {
		return false
	}
	return !slices.ContainsFunc([]*begun{k.frozen, k.pendingSuccession}, func(one *begun) bool {
		return one != nil && k.rank(one.signer) < rank
	})
}

func (k keyState) pendingOf(uuid string) *begun {
	for _, one := range []*begun{k.pendingCommit, k.pendingSuccession} {
		if one != nil && one.event == uuid {
			return one
		}
	}
	return nil
}

// isTaken is the table, but for who signed and for limits.
func (k keyState) isTaken(action, signer string, fields object, rank int, at float64) bool {
	isRested := rank == bothKeys || at >= k.resting[signer]
	switch action {
	case "key.commit":
		return signer == mainKey && k.isFree(rank, k.pendingCommit)
	case "key.succeed":
		return isRested && k.isFree(rank, k.pendingSuccession)
	case "key.freeze":
		isAbove := k.frozen == nil || k.rank(k.frozen.signer) > rank
		return isAbove && (signer != mainKey || at >= k.mainFreezeFrom) && isRested && k.isFree(rank, nil)
	case "key.thaw":
		return k.frozen != nil && rank <= k.rank(k.frozen.signer)
	case "key.veto":
		pending := k.pendingOf(text(fields, "event"))
		isOtherHolder := signer == mainKey && k.committed == nil
		return pending != nil && (isOtherHolder || rank < k.rank(pending.signer))
	}
	return false
}

// behind is the state behind an event that the table takes.
func (k keyState) behind(action string, by *begun, rank int, at float64, isAtOnce bool) keyState {
	switch action {
	case "key.commit":
		if !isAtOnce {
			k.pendingCommit = by
			return k
		}
		k = k.withoutLower(rank)
		k.pendingCommit, k.committed = nil, commitmentOf(by.fields)
	case "key.succeed":
		k = k.withoutLower(rank)
		if isAtOnce {
			return k.succeeded(by)
		}
		k.pendingSuccession = by
	case "key.freeze":
		k = k.withoutLower(rank)
		k.frozen = by
		if by.signer == mainKey {
			k.mainFreezeFrom = by.dueAt + rest
		}
	case "key.thaw":
		if frozenBy := k.frozen.signer; rank < k.rank(frozenBy) || by.signer == mainKey {
			k = k.withRest(frozenBy, at)
		}
		k.frozen = nil
	case "key.veto":
		pending := k.pendingOf(text(by.fields, "event"))
		isCommit := pending == k.pendingCommit
		k = k.withRest(pending.signer, at)
		if isCommit {
			k.pendingCommit = nil
		} else {
			k.pendingSuccession = nil
		}
	}
	return k
}

// acceptApp answers the state behind a key.add or a key.revoke.
func (k keyState) acceptApp(event, fields object, at float64) (keyState, bool) {
	key, signer := text(fields, "key"), text(event, "signer")
	known, isKnown := k.appKeys[key]
	if known.isRevoked {
		return k, false
	}
	appKeys := map[string]addedKey{}
	maps.Copy(appKeys, k.appKeys)
	if text(event, "action") == "key.revoke" {
		maySign := signer == mainKey || signer == key || slices.Contains(k.recovery(), signer)
		appKeys[key] = addedKey{known.fields, true}
		k.appKeys = appKeys
		return k, isKnown && maySign && event["cosigner"] == nil
	}
	end := numberOf(fields, "expires_at")
	others := slices.DeleteFunc(k.liveAppKeys(at), func(one string) bool { return one == key })
	isGood := signer == mainKey && event["cosigner"] == key && !k.isFrozen() && end > at && end <= at+longestAppKey &&
		len(others) < mostLiveKeys && k.hasRoom("key.add", signer, k.rank(signer), at)
	if !isKnown {
		k.order = append(slices.Clone(k.order), key)
	}
	appKeys[key] = addedKey{fields, false}
	k.appKeys = appKeys
	return k, isGood
}

// stateAt is the state at a time, of events that verify, oldest first; later ones do not count.
func stateAt(events []any, now float64) keyState {
	var k keyState
	for _, one := range events {
		event := one.(object)
		if numberOf(event, "recorded_at") > now {
			break
		}
		if behind, _, isTaken := k.accept(event); isTaken {
			k = behind
		}
	}
	return k.settled(now)
}
