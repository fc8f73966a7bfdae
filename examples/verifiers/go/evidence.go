package main

// A signature in what a person published (docs/verify.md, section 7).

import (
	"bytes"
	"encoding/base64"
	"regexp"
	"slices"
	"strings"
)

const (
	invisible      = `\x{00ad}\x{200b}-\x{200f}\x{202a}-\x{202e}\x{2060}-\x{2064}\x{feff}`
	maxTextBytes   = 64 * 1024
	maxTries       = 5
	maxLines       = 8
	maxUnderscores = 6
)

var (
	word       = regexp.MustCompile(`[A-Za-z0-9_+/-][A-Za-z0-9_+/\-` + invisible + `]*`)
	hidden     = regexp.MustCompile(`[` + invisible + `]`)
	around     = regexp.MustCompile("^[\\s\\v\\p{Z}" + invisible + "`*~>|\"'“”‘’«»„=]*$")
	webAddress = regexp.MustCompile("(?i)https?://[^\\s\\v\\p{Z}\\x{feff}\"'<>`)\\]|]*")
	lineEnd    = regexp.MustCompile(`\r\n|[\n\r\x{0085}\x{2028}\x{2029}]`)
	quotes     = strings.NewReplacer("“", `"`, "”", `"`, "„", `"`, "‟", `"`, "\u00a0", " ")
)

type line struct {
	words              []string
	bareHead, bareTail bool
}

func lineOf(written string) line {
	places := word.FindAllStringIndex(written, -1)
	if len(places) == 0 {
		return line{}
	}
	var words []string
	for _, place := range places {
		words = append(words, hidden.ReplaceAllString(written[place[0]:place[1]], ""))
	}
	head, tail := written[:places[0][0]], written[places[len(places)-1][1]:]
	return line{words, around.MatchString(head), around.MatchString(tail)}
}

// candidates are what may be a signature in Base64 without padding, in the order in which they are tried.
func candidates(written string) []string {
	var found []string
	var lines []line
	for _, one := range lineEnd.Split(webAddress.ReplaceAllString(written, "."), -1) {
		lines = append(lines, lineOf(one))
	}
	for _, one := range lines {
		for _, letters := range one.words {
			found = append(found, unmarked(letters)...)
		}
	}
	for first, one := range lines {
		if len(one.words) == 0 || !one.bareTail {
			continue
		}
		joined := one.words[len(one.words)-1]
		for _, below := range lines[first+1 : min(first+maxLines, len(lines))] {
			if len(below.words) != 1 || !below.bareHead || !below.bareTail {
				break
			}
			joined += below.words[0]
			if len(joined) == 86 || len(joined) == 87 {
				found = append(found, joined)
			}
		}
	}
	return found
}

func unmarked(letters string) []string {
	var found []string
	for _, length := range []int{87, 86} {
		surplus := len(letters) - length
		for start := 0; start <= surplus && surplus <= maxUnderscores; start++ {
			if strings.Trim(letters[:start]+letters[start+length:], "_") == "" {
				found = append(found, letters[start:start+length])
			}
		}
	}
	return found
}

// findSignature answers the Base64 of the signature that a text holds, or "".
func findSignature(written, payload, avatar string) string {
	if len(written) > maxTextBytes {
		return ""
	}
	var tried [][]byte
	for _, candidate := range candidates(written) {
		standard := strings.NewReplacer("-", "+", "_", "/").Replace(candidate)
		signature, err := base64.RawStdEncoding.Strict().DecodeString(standard)
		isTried := slices.ContainsFunc(tried, func(other []byte) bool { return bytes.Equal(other, signature) })
		if _, isSignature := parseSignature(signature); err != nil || !isSignature || isTried {
			continue
		}
		if len(tried) == maxTries {
			break
		}
		tried = append(tried, signature)
		if isSignedBy(payload, signature, avatar) {
			return base64.StdEncoding.EncodeToString(signature)
		}
	}
	return ""
}

// findEvidence is findSignature; the signature may stand in a member of a document, too.
func findEvidence(written, payload, avatar string) string {
	if found := findSignature(written, payload, avatar); found != "" {
		return found
	}
	bare := strings.TrimPrefix(written, "\ufeff")
	document := parseObject(bare)
	if document == nil {
		document = parseObject(quotes.Replace(bare))
	}
	return findSignature(text(document, "signature"), payload, avatar)
}
