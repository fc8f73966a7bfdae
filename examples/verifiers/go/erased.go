package main

// Links and patches whose texts were erased (docs/verify.md, sections 4, 6 and 10).

import (
	"encoding/hex"
	"regexp"
)

var hashDigits = regexp.MustCompile(`^[0-9a-f]{64}$`)

func isErased(item object) bool {
	_, isThere := item["erased"]
	return isThere
}

// keyOf names an identity without its text.
func keyOf(at name) string { return hex.EncodeToString(identityKey(at.platform, at.identity)) }

// hasErasedShape tells whether none of these texts is left, and whether the item says of its erasure what it has to.
func hasErasedShape(item object, texts []string, hashes ...string) bool {
	erased, _ := item["erased"].(object)
	for _, member := range texts {
		value, isThere := item[member]
		inner, isObject := value.(object)
		if isThere && value != "" && !(isObject && len(inner) == 0) {
			return false
		}
	}
	for _, member := range append(hashes, "record") {
		if !hashDigits.MatchString(text(erased, member)) {
			return false
		}
	}
	return isWhole(erased["at"], 0) && text(erased, "reason") != ""
}
