package main

// What other servers saw: statements, observers and quorums (docs/verify.md, section 14).

import (
	"cmp"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"
)

const (
	weekSeconds   = 7 * 24 * 3600
	futureSeconds = 300
	looksPerKey   = 20
	maxListLength = 64 * 1024
)

var statementForms = []struct {
	name string
	form *regexp.Regexp
}{
	{"link", regexp.MustCompile(`^[0-9a-f]{64}$`)},
	{"platform", regexp.MustCompile(`^[a-z0-9][a-z0-9_.-]{0,63}$`)},
	{"identity", regexp.MustCompile(`(?s)^.+$`)},
	{"account", regexp.MustCompile(`^[\x21-\x7e]{1,128}$`)},
	{"seen", regexp.MustCompile(`^(yes|no)$`)},
}

// statement is what was seen of one binding; an account without an id is "".
type statement struct {
	note
	link, platform, identity, account string
	seen                              bool
}

// readStatement is the statement, or nil.
func readStatement(written string) *statement {
	read := readNote(written)
	if read == nil {
		return nil
	}
	lines := strings.Split(strings.TrimSuffix(read.text, "\n"), "\n")
	if lines[0] != "signet-seen/1" || len(lines) != 1+len(statementForms) {
		return nil
	}
	values := map[string]string{}
	for i, one := range statementForms {
		value, isNamed := strings.CutPrefix(lines[i+1], one.name+" ")
		if !isNamed || !one.form.MatchString(value) || len(value) > 1024 {
			return nil
		}
		values[one.name] = value
	}
	account := values["account"]
	if account == "-" {
		account = ""
	}
	return &statement{*read, values["link"], values["platform"], values["identity"], account, values["seen"] == "yes"}
}

// seenAt is the UNIX time at which the observer with this key looked.
func (s *statement) seenAt(key *verifierKey) (uint64, bool) {
	if key.kind != seenKey {
		return 0, false
	}
	return s.timeOf(key, "signet-seen/v1")
}

type observer struct {
	operator string
	keys     []*verifierKey
}

// observers says whom to believe; a quorum of 0 stands for the usual rule.
type observers struct {
	list   []*observer
	quorum int
}

var quorumForm = regexp.MustCompile(`^[1-9][0-9]{0,3}$`)

func newObservers(written string) (*observers, error) {
	o := &observers{}
	if len(utf16.Encode([]rune(written))) > maxListLength {
		return nil, errors.New("it is too long")
	}
	for i, one := range linesOf(written) {
		words := strings.FieldsFunc(one, func(letter rune) bool { return letter == ' ' || letter == '\t' })
		hasControls := strings.ContainsFunc(one, func(letter rune) bool {
			return letter < ' ' && letter != '\t' || letter == 0x7f
		})
		if hasControls {
			return nil, fmt.Errorf("line %d: it holds a control character", i+1)
		}
		if len(words) > 0 && !strings.HasPrefix(words[0], "#") && !o.add(words) {
			return nil, fmt.Errorf("line %d: this is not a line of a list of observers", i+1)
		}
	}
	if o.quorum > len(o.list) {
		return nil, errors.New("the quorum is above the number of observers")
	}
	return o, nil
}

func (o *observers) add(words []string) bool {
	switch {
	case words[0] == "quorum" && len(words) == 2 && o.quorum == 0 && quorumForm.MatchString(words[1]):
		o.quorum, _ = strconv.Atoi(words[1])
		return true
	case words[0] == "observer" && (len(words) == 3 || len(words) == 4):
		key := readKey(words[2])
		if key == nil || key.kind != seenKey {
			return false
		}
		for _, one := range o.list {
			for _, known := range one.keys {
				if slices.Equal(known.public, key.public) {
					return false
				}
			}
		}
		at := slices.IndexFunc(o.list, func(one *observer) bool { return one.operator == words[1] })
		if at < 0 {
			at = len(o.list)
			o.list = append(o.list, &observer{operator: words[1]})
		}
		o.list[at].keys = append(o.list[at].keys, key)
		return true
	}
	return false
}

// needed is how many have to agree, or 0 where nothing is claimed.
func (o *observers) needed() int {
	switch count := len(o.list); {
	case o.quorum > 0:
		return o.quorum
	case count < 2:
		return 0
	case count < 6:
		return count - 1
	default:
		return count - 2
	}
}

func (o *observers) neededOrNull() any {
	if needed := o.needed(); needed > 0 {
		return float64(needed)
	}
	return nil
}

// boundAccount is the binding that is asked about; account is nil where the reader does not know it.
type boundAccount struct {
	link, platform, identity string
	account                  *string
}

// seenView is what counts of one observer.
type seenView struct {
	state string
	said  *statement
	time  uint64
}

type seenVerdict struct {
	result  string
	count   int
	lastAt  uint64
	account string
	views   map[string]*seenView
}

// judgeSeen is what the observers say together of a binding. now is in UNIX seconds.
func judgeSeen(notes []any, about boundAccount, o *observers, now uint64) seenVerdict {
	var read []*statement
	for _, one := range notes {
		written, _ := one.(string)
		said := readStatement(written)
		if said != nil && said.link == about.link && said.platform == about.platform && said.identity == about.identity {
			read = append(read, said)
		}
	}
	views := map[string]*seenView{}
	counts := map[string]int{}
	for _, one := range o.list {
		view := viewOf(one, read, now)
		views[one.operator] = view
		if view.state == "seen" {
			counts[view.said.account]++
		}
	}
	verdict := seenVerdict{views: views}
	account := mostSeen(counts)
	if about.account != nil {
		account = *about.account
	}
	rivals := map[string]int{}
	for _, view := range views {
		if view.state == "seen" && view.said.account != account {
			view.state = "other_account"
			rivals[view.said.account]++
		}
	}
	yes, no := countOf(views, "seen"), countOf(views, "not_seen")
	wins := func(own, other int) bool {
		for _, count := range rivals {
			other = max(other, count)
		}
		return o.needed() > 0 && own >= o.needed() && own > other
	}
	counted := "seen"
	switch {
	case o.needed() == 0:
		verdict.result = "no_claim"
	case wins(yes, no):
		verdict.result = "seen"
	case wins(no, yes):
		verdict.result, counted = "not_seen", "not_seen"
	default:
		verdict.result = "no_quorum"
	}
	verdict.count = countOf(views, counted)
	for _, view := range views {
		if view.state == counted {
			verdict.lastAt = max(verdict.lastAt, view.time)
		}
	}
	if counted == "seen" && yes > 0 {
		verdict.account = account
	}
	return verdict
}

// claimedAt is the time in the line of this key, unverified.
func (s *statement) claimedAt(key *verifierKey) (uint64, bool) {
	signature := s.signatureOf(key)
	if key.kind != seenKey || len(signature) != 72 {
		return 0, false
	}
	time := binary.BigEndian.Uint64(signature)
	return time, time <= maxSize
}

// newestOf is the statements with the lines of a key that are verified: of those that differ, the newest.
func newestOf(key *verifierKey, read []*statement) []*statement {
	var newest []*statement
	known := map[string]bool{}
	for _, said := range read {
		_, isThere := said.claimedAt(key)
		line := said.text + string(said.signatureOf(key))
		if isThere && !known[line] {
			known[line] = true
			newest = append(newest, said)
		}
	}
	slices.SortStableFunc(newest, func(a, b *statement) int {
		one, _ := a.claimedAt(key)
		other, _ := b.claimedAt(key)
		return cmp.Compare(other, one)
	})
	return newest[:min(len(newest), looksPerKey)]
}

func viewOf(one *observer, read []*statement, now uint64) *seenView {
	view := &seenView{state: "no_statement"}
	isContradictory := false
	for _, key := range one.keys {
		for _, said := range newestOf(key, read) {
			time, isSigned := said.seenAt(key)
			if !isSigned || view.said != nil && time < view.time {
				continue
			}
			isContradictory = view.said != nil && time == view.time && (isContradictory || said.text != view.said.text)
			view.said, view.time = said, time
		}
	}
	switch {
	case view.said == nil:
	case isContradictory:
		view.state = "contradictory"
	case view.time > now+futureSeconds:
		view.state = "from_the_future"
	case view.time+weekSeconds < now:
		view.state = "too_old"
	case view.said.seen:
		view.state = "seen"
	default:
		view.state = "not_seen"
	}
	return view
}

// mostSeen is the account that most saw; of two that equally many saw, the one that sorts first.
func mostSeen(counts map[string]int) string {
	best := ""
	for account, count := range counts {
		if count > counts[best] || count == counts[best] && account < best {
			best = account
		}
	}
	return best
}

func countOf(views map[string]*seenView, state string) int {
	count := 0
	for _, view := range views {
		if view.state == state {
			count++
		}
	}
	return count
}

var exportTime = regexp.MustCompile(`^[0-9]{1,11}$`)

// checkExportSeen makes the step seen for each binding that is not a wallet and that the server called valid.
func checkExportSeen(s *steps, file object, o *observers) {
	notes, isList := file["seen"].([]any)
	_, isThere := file["seen"]
	isList = isList || !isThere
	for _, one := range notes {
		_, isText := one.(string)
		isList = isList && isText
	}
	if !isList || !exportTime.MatchString(text(file, "exported_at")) {
		s.check("seen", false, "")
		return
	}
	if o == nil {
		o = &observers{}
	}
	now, _ := strconv.ParseUint(text(file, "exported_at"), 10, 64)
	for _, one := range file["bindings"].([]any) {
		binding := one.(object)
		about := boundAccount{platform: text(binding, "platform"), identity: text(binding, "identity")}
		if binding["is_valid"] != true || slices.Contains(wallets, about.platform) {
			continue
		}
		about.link = hex.EncodeToString(sha([]byte(payloadOf(file["links"].([]any), binding))))
		evidence, _ := binding["evidence"].(object)
		if account, _ := evidence["account_id"].(string); account != "" {
			about.account = &account
		}
		verdict := judgeSeen(notes, about, o, now)
		where := fmt.Sprintf("%s %s: %d of %d observers", about.platform, about.identity, verdict.count, len(o.list))
		if verdict.lastAt > 0 {
			where += ", last at " + time.Unix(int64(verdict.lastAt), 0).UTC().Format(time.RFC3339)
		}
		if verdict.result == "seen" || verdict.result == "not_seen" {
			s.check("seen", verdict.result == "seen", where)
		} else {
			s.leaveOpen("seen", where)
		}
	}
}

// payloadOf is the text of the newest link that made a binding, or "".
func payloadOf(links []any, binding object) string {
	payload := ""
	for _, one := range links {
		link, _ := one.(object)
		isOwn := link != nil
		for _, member := range []string{"platform", "identity", "created_at"} {
			isOwn = isOwn && link[member] == binding[member]
		}
		if isOwn {
			payload, _ = link["signature_payload"].(string)
		}
	}
	return payload
}
