package main

// Whether records were made while keys had stopped the writes of their Avatar (docs/verify.md, section 15).

import "math"

// holdTolerance: clocks of two records may each be wrong by five minutes.
const holdTolerance = 600

// heldUntil is the end of the time in which writes are stopped: +Inf for ever, -Inf where they are not.
func (k keyState) heldUntil() float64 {
	switch {
	case k.succession != nil || k.pendingSuccession != nil:
		return math.Inf(1)
	case k.frozen != nil:
		return k.frozen.dueAt
	}
	return math.Inf(-1)
}

// checkHolds is the step of key events that verify, oldest first, and of the times of records, which may be nil.
func checkHolds(s *steps, events, links, patches []any, now float64) {
	found := map[state]bool{}
	for name, times := range map[string][]any{"links": links, "patches": patches} {
		var k keyState
		first, from := 0, math.Inf(-1)
		for i := 0; i <= len(events); i++ {
			last, to := len(times), math.Inf(1)
			if i < len(events) {
				following := events[i].(object)
				last, to = min(int(numberOf(following, name)), len(times)), numberOf(following, "recorded_at")
			}
			for _, time := range times[min(first, last):last] {
				found[held(time, from, to, k.heldUntil(), now)] = true
			}
			if i < len(events) {
				if behind, _, isTaken := k.accept(events[i].(object)); isTaken {
					k = behind
				}
			}
			first, from = last, to
		}
	}
	if found[open] && !found[failed] {
		s.leaveOpen("held", "")
	} else {
		s.check("held", !found[failed], "")
	}
}

// held is what comes of a record between two key events, of which the first stops writes until a time.
func held(time any, from, to, until, now float64) state {
	at, isKnown := time.(float64)
	switch {
	case isKnown && (at < from-holdTolerance || at > to+holdTolerance):
		return failed
	case math.IsInf(until, -1):
		return ok
	case !isKnown && math.IsInf(to, 1):
		at = now
	case !isKnown:
		at = to
	}
	if math.IsInf(until, 1) || at+holdTolerance < until {
		return failed
	}
	if isKnown {
		return ok
	}
	return open
}

// checkHoldsIn is the step of an export whose key events and proofs verify.
func checkHoldsIn(s *steps, file object, now float64) {
	keys, hasKeys := file["keys"].([]any)
	if !hasKeys {
		return
	}
	log, _ := file["log"].(object)
	proofs, _ := log["proofs"].(object)
	timesOf := func(list string) []any {
		times := []any{}
		for _, item := range file[list].([]any) {
			var time any
			if proof := readProof(text(proofs, text(item.(object), "uuid"))); proof != nil {
				if entry := readEntry(proof.entry); entry != nil {
					time = entry["recorded_at"]
				}
			}
			times = append(times, time)
		}
		return times
	}
	checkHolds(s, keys, timesOf("links"), timesOf("patches"), now)
}
