package main

import (
	"maps"
	"slices"
)

// state is what came of a step.
type state string

const (
	ok     state = "ok"
	failed state = "failed"
	open   state = "not checkable"
)

type step struct {
	name  string
	state state
	where string
}

type steps []step

// check adds a step that is ok or failed, and tells which.
func (s *steps) check(name string, isGood bool, where string) bool {
	result := failed
	if isGood {
		result = ok
	}
	*s = append(*s, step{name, result, where})
	return isGood
}

// leaveOpen adds a step that cannot be made with what is at hand.
func (s *steps) leaveOpen(name, where string) { *s = append(*s, step{name, open, where}) }

// named tells the names of the steps of which this came, each once, sorted.
func (s steps) named(wanted state) []string {
	names := map[string]bool{}
	for _, one := range s {
		if one.state == wanted {
			names[one.name] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

func (s steps) isGood() bool { return len(s.named(failed)) == 0 }
