package main

// Keys, signed notes, checkpoints and policies (docs/verify.md, section 10).

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
)

const (
	logKey     = 1
	witnessKey = 4
	seenKey    = 255

	maxNoteCharacters = 128 * 1024
)

var (
	decimal   = regexp.MustCompile(`^(?:0|[1-9][0-9]*)$`)
	threshold = regexp.MustCompile(`^[1-9][0-9]{0,5}$`)
	hexID     = regexp.MustCompile(`^[0-9a-f]{8}$`)
)

// keyPrefixes are what stands before the 32 bytes of a key, by its type.
var keyPrefixes = map[byte][]byte{logKey: {logKey}, witnessKey: {witnessKey}, seenKey: []byte("\xffsignet-seen/v1\x00")}

// verifierKey is a key of a log, a witness or an observer.
type verifierKey struct {
	name, id string
	kind     byte
	public   []byte
}

func isKeyName(name string) bool {
	return name != "" && !strings.ContainsFunc(name, func(letter rune) bool {
		return letter == '+' || unicode.IsSpace(letter) || unicode.IsControl(letter)
	})
}

// readKey is the key that a text names, or nil.
func readKey(written string) *verifierKey {
	parts := strings.SplitN(written, "+", 3)
	if len(parts) != 3 || !isKeyName(parts[0]) || !hexID.MatchString(parts[1]) {
		return nil
	}
	encoded := decodeBase64(parts[2])
	if len(encoded) == 0 {
		return nil
	}
	public, isKnown := bytes.CutPrefix(encoded, keyPrefixes[encoded[0]])
	if keyPrefixes[encoded[0]] == nil || !isKnown || len(public) != 32 {
		return nil
	}
	id := hex.EncodeToString(sha([]byte(parts[0]+"\n"), encoded)[:4])
	if id != parts[1] || !isEd25519Key(public) {
		return nil
	}
	return &verifierKey{parts[0], id, encoded[0], public}
}

type noteSignature struct {
	name, id  string
	signature []byte
}

func readSignatureLine(written string) (noteSignature, bool) {
	parts := strings.Split(written, " ")
	if len(parts) != 3 || parts[0] != "—" || !isKeyName(parts[1]) {
		return noteSignature{}, false
	}
	encoded := decodeBase64(parts[2])
	if len(encoded) < 5 {
		return noteSignature{}, false
	}
	return noteSignature{parts[1], hex.EncodeToString(encoded[:4]), encoded[4:]}, true
}

// note is a signed note, read and not verified.
type note struct {
	text       string
	signatures []noteSignature
}

// readNote is the note, or nil.
func readNote(written string) *note {
	hasControls := strings.ContainsFunc(written, func(letter rune) bool { return letter < ' ' && letter != '\n' })
	end := strings.LastIndex(written, "\n\n")
	isLong := len(utf16.Encode([]rune(written))) > maxNoteCharacters
	if hasControls || end < 0 || !strings.HasSuffix(written, "\n") || isLong {
		return nil
	}
	read := &note{text: written[:end+1]}
	below := strings.Split(strings.TrimSuffix(written[min(end+2, len(written)):], "\n"), "\n")
	for _, one := range below {
		signature, isRead := readSignatureLine(one)
		if !isRead {
			return nil
		}
		read.signatures = append(read.signatures, signature)
	}
	return read
}

// checkpoint is a signed checkpoint, read and not verified.
type checkpoint struct {
	note
	origin string
	size   uint64
	root   []byte
}

// readCheckpoint is the checkpoint, or nil.
func readCheckpoint(written string) *checkpoint {
	read := readNote(written)
	if read == nil {
		return nil
	}
	head := strings.Split(strings.TrimSuffix(read.text, "\n"), "\n")
	if len(head) < 3 || head[0] == "" || !decimal.MatchString(head[1]) || slices.Contains(head[3:], "") {
		return nil
	}
	size, err := strconv.ParseUint(head[1], 10, 64)
	root := decodeBase64(head[2])
	if err != nil || size > maxSize || !areHashes(root) {
		return nil
	}
	return &checkpoint{*read, head[0], size, root}
}

// signatureOf is the one signature of a key, or nil: without one, and where two of its lines differ.
func (c *note) signatureOf(key *verifierKey) []byte {
	var own []byte
	for _, one := range c.signatures {
		if one.name != key.name || one.id != key.id {
			continue
		}
		if own != nil && !bytes.Equal(own, one.signature) {
			return nil
		}
		own = one.signature
	}
	return own
}

func (c *note) isSignedBy(key *verifierKey) bool {
	return isEd25519Signature([]byte(c.text), c.signatureOf(key), key.public)
}

// cosignedAt is the UNIX time at which a witness signed.
func (c *checkpoint) cosignedAt(key *verifierKey) (uint64, bool) {
	return c.timeOf(key, "cosignature/v1")
}

// timeOf is the UNIX time in the line of a key that signs a header, the time and the text.
func (c *note) timeOf(key *verifierKey, header string) (uint64, bool) {
	signature := c.signatureOf(key)
	if len(signature) < 8 {
		return 0, false
	}
	time := binary.BigEndian.Uint64(signature)
	message := fmt.Sprintf("%s\ntime %d\n%s", header, time, c.text)
	return time, time <= maxSize && isEd25519Signature([]byte(message), signature[8:], key.public)
}

type group struct {
	threshold int
	members   []string
}

// policy says whom to believe.
type policy struct {
	logs      []*verifierKey
	witnesses map[string]*verifierKey
	groups    map[string]group
	quorum    string // "none" where no cosignature is asked for
	members   map[string]bool
	keys      map[string]bool
}

// linesOf are lines that people write, without a byte order mark in front and without CR at their ends.
func linesOf(written string) []string {
	lines := strings.Split(strings.TrimPrefix(written, byteOrderMark), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimSuffix(line, "\r")
	}
	return lines
}

var errPolicy = errors.New("this is not a line of a policy")

func newPolicy(written string) (*policy, error) {
	p := &policy{
		witnesses: map[string]*verifierKey{}, groups: map[string]group{}, members: map[string]bool{}, keys: map[string]bool{},
	}
	for i, one := range linesOf(written) {
		words := strings.FieldsFunc(one, func(letter rune) bool { return letter == ' ' || letter == '\t' })
		hasControls := strings.ContainsFunc(one, func(letter rune) bool {
			return letter < ' ' && letter != '\t' || letter == 0x7f
		})
		var err error
		if hasControls {
			err = errors.New("it holds a control character")
		} else if len(words) > 0 && !strings.HasPrefix(words[0], "#") {
			err = p.add(words[0], words[1:])
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
	}
	if p.quorum == "" {
		return nil, errors.New("it has no quorum")
	}
	return p, nil
}

func (p *policy) add(keyword string, words []string) error {
	switch {
	case keyword == "log" && (len(words) == 1 || len(words) == 2):
		key, err := p.newKey(words[0], logKey)
		p.logs = append(p.logs, key)
		return err
	case keyword == "witness" && (len(words) == 2 || len(words) == 3):
		key, err := p.newKey(words[1], witnessKey)
		if err == nil {
			err = p.newName(words[0])
		}
		p.witnesses[words[0]] = key
		return err
	case keyword == "group" && len(words) >= 3:
		return p.addGroup(words[0], words[1], words[2:])
	case keyword == "quorum" && len(words) == 1 && p.quorum == "" && (words[0] == "none" || p.isDefined(words[0])):
		p.quorum = words[0]
		return nil
	}
	return errPolicy
}

func (p *policy) addGroup(name, count string, members []string) error {
	for _, member := range members {
		if !p.isDefined(member) || p.members[member] {
			return fmt.Errorf("%s is not defined above, or is a member already", member)
		}
		p.members[member] = true
	}
	number := map[string]int{"all": len(members), "any": 1}[count]
	if threshold.MatchString(count) {
		number, _ = strconv.Atoi(count)
	}
	if number < 1 || number > len(members) {
		return errors.New("a threshold lies between 1 and the number of members")
	}
	err := p.newName(name)
	p.groups[name] = group{number, members}
	return err
}

func (p *policy) newKey(written string, kind byte) (*verifierKey, error) {
	key := readKey(written)
	if key == nil || key.kind != kind {
		return nil, errors.New("this is not a key of its kind")
	}
	place := string(kind) + string(key.public)
	if p.keys[place] {
		return nil, errors.New("this key stands twice")
	}
	p.keys[place] = true
	return key, nil
}

func (p *policy) newName(name string) error {
	if name == "none" || p.isDefined(name) {
		return fmt.Errorf("%s is not a new name", name)
	}
	return nil
}

func (p *policy) isDefined(name string) bool {
	_, isGroup := p.groups[name]
	return isGroup || p.witnesses[name] != nil
}

func (p *policy) isMet(name string, cosigned map[string]uint64) bool {
	asked, isGroup := p.groups[name]
	if !isGroup {
		_, isThere := cosigned[name]
		return isThere
	}
	count := 0
	for _, member := range asked.members {
		if p.isMet(member, cosigned) {
			count++
		}
	}
	return count >= asked.threshold
}

// logKeyOf is the key of the log of the policy that signed a checkpoint, or nil.
func (p *policy) logKeyOf(head *checkpoint) *verifierKey {
	for _, key := range p.logs {
		if key.name == head.origin && head.isSignedBy(key) {
			return key
		}
	}
	return nil
}

// check makes the steps log_signature and witnesses, and tells who signed when. now is in UNIX seconds.
func (p *policy) check(s *steps, head *checkpoint, now uint64) map[string]uint64 {
	cosigned := map[string]uint64{}
	for name, key := range p.witnesses {
		if time, isThere := head.cosignedAt(key); isThere && time <= now+clockSpreadSeconds {
			cosigned[name] = time
		}
	}
	s.check("log_signature", p.logKeyOf(head) != nil, "")
	if p.quorum == "none" {
		s.leaveOpen("witnesses", "")
	} else {
		s.check("witnesses", p.isMet(p.quorum, cosigned), "")
	}
	return cosigned
}
