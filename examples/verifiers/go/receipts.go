package main

// Receipts of writes, and notes of logs that have ended (docs/verify.md, section 12).

import (
	"encoding/hex"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

var receiptForms = []struct {
	name string
	form *regexp.Regexp
}{
	{"log", regexp.MustCompile(`^.+$`)},
	{"kind", regexp.MustCompile(`^(link|kv|key)$`)},
	{"avatar", regexp.MustCompile(`^0x0[23][0-9a-f]{64}$`)},
	{"uuid", regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)},
	{"hash", regexp.MustCompile(`^[0-9a-f]{64}$`)},
	{"time", regexp.MustCompile(`^(0|[1-9][0-9]{0,15})$`)},
	{"deadline", regexp.MustCompile(`^(0|[1-9][0-9]{0,15})$`)},
}

type receipt struct {
	note
	fields         map[string]string
	time, deadline uint64
}

// readReceipt is the receipt, or nil.
func readReceipt(written string) *receipt {
	read := readNote(written)
	if read == nil {
		return nil
	}
	lines := strings.Split(strings.TrimSuffix(read.text, "\n"), "\n")
	if lines[0] != "signet-receipt/1" || len(lines) != 1+len(receiptForms) {
		return nil
	}
	r := &receipt{note: *read, fields: map[string]string{}}
	for i, one := range receiptForms {
		value, isNamed := strings.CutPrefix(lines[i+1], one.name+" ")
		if !isNamed || !one.form.MatchString(value) {
			return nil
		}
		r.fields[one.name] = value
	}
	r.time, _ = strconv.ParseUint(r.fields["time"], 10, 64)
	r.deadline, _ = strconv.ParseUint(r.fields["deadline"], 10, 64)
	if !isKeyName(r.fields["log"]) || r.deadline > maxSize || r.time > r.deadline {
		return nil
	}
	return r
}

var nextLogForm = regexp.MustCompile("^signet-next-log/1\nlog ([^\n]+)\nnext ([^\n]+)\ntime (0|[1-9][0-9]{0,15})\n$")

// nextLog is what the key of a log that has ended says of the next one.
type nextLog struct {
	log, next string
	time      uint64
}

// readNextLog is what such a note says, or nil where this key did not sign it.
func readNextLog(written string, key *verifierKey) *nextLog {
	read := readNote(written)
	if read == nil || key == nil || key.kind != logKey || !read.isSignedBy(key) {
		return nil
	}
	said := nextLogForm.FindStringSubmatch(read.text)
	if said == nil || said[1] != key.name {
		return nil
	}
	named := readKey(said[2])
	time, err := strconv.ParseUint(said[3], 10, 53)
	if named == nil || named.kind != logKey || named.name == key.name || err != nil {
		return nil
	}
	return &nextLog{said[1], said[2], time}
}

// isOf tells whether the receipt is that of this link or patch, exactly as it is at hand.
func (r *receipt) isOf(about *claim) bool {
	record := object{}
	for _, name := range recordMembers[about.kind] {
		value, isThere := about.item[name]
		if name == "avatar" {
			value, isThere = about.avatar, true
		}
		if name == "id" {
			continue
		}
		if !isThere {
			return false
		}
		record[name] = value
	}
	isNamed := r.fields["kind"] == about.kind && r.fields["avatar"] == about.avatar && r.fields["uuid"] == record["uuid"]
	return isNamed && r.fields["hash"] == hex.EncodeToString(sha([]byte(canonical(record))))
}

// checkReceipt makes the steps of a receipt; about is nil where no record is at hand, and proof where there is none.
func checkReceipt(s *steps, written string, about *claim, proof *string, p *policy, now uint64) *receipt {
	r := readReceipt(written)
	if !s.check("receipt", r != nil, "") {
		return nil
	}
	s.check("receipt_signature", slices.ContainsFunc(p.logs, func(key *verifierKey) bool {
		return key.name == r.fields["log"] && r.isSignedBy(key)
	}), "")
	if about != nil && isErased(about.item) {
		about = nil // what the receipt was given for is not at hand any more
	}
	if about == nil {
		s.leaveOpen("record", "")
	} else {
		s.check("record", r.isOf(about), "")
	}
	if proof == nil {
		s.leaveOpen("logged_in_time", "")
		return r
	}
	known := claim{}
	if about != nil {
		known = *about
	}
	own, shown, cosigned := checkProof(*proof, known, p, now)
	if shown == nil {
		*s = append(*s, own...)
		return r
	}
	entry := readEntry(shown.entry)
	isSame := entry != nil
	for _, name := range []string{"kind", "avatar", "uuid"} {
		isSame = isSame && entry[name] == r.fields[name]
	}
	for _, one := range own {
		switch {
		case one.name != "entry":
			*s = append(*s, one)
		case about == nil && isSame:
			s.leaveOpen("entry", "")
		default:
			s.check("entry", isSame && one.state == ok, "")
		}
	}
	r.checkTime(s, entry, shown.checkpoint, cosigned, p, now)
	return r
}

func (r *receipt) checkTime(s *steps, entry object, head *checkpoint, cosigned map[string]uint64, p *policy, now uint64) {
	recordedAt, isTime := entry["recorded_at"].(float64)
	if head.origin != r.fields["log"] || !isTime || math.Abs(recordedAt-float64(r.time)) > clockSpreadSeconds {
		s.check("logged_in_time", false, "")
		return
	}
	early := map[string]uint64{}
	for name, time := range cosigned {
		if time <= r.deadline {
			early[name] = time
		}
	}
	if now <= r.deadline || p.quorum != "none" && p.isMet(p.quorum, early) {
		s.check("logged_in_time", true, "")
	} else {
		s.leaveOpen("logged_in_time", "")
	}
}
