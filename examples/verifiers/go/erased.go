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

// keyOfItem is the key of what a link or patch is about, which an erased one names.
func keyOfItem(item object) string {
	if isErased(item) {
		erased, _ := item["erased"].(object)
		return text(erased, "identity_key")
	}
	return keyOf(name{text(item, "platform"), text(item, "identity")})
}

// hasErasedShape tells whether none of these texts is left, and whether the item says of its erasure what it has to.
func hasErasedShape(item object, texts ...string) bool {
	erased, _ := item["erased"].(object)
	for _, member := range texts {
		value, isThere := item[member]
		inner, isObject := value.(object)
		if isThere && value != "" && !(isObject && len(inner) == 0) {
			return false
		}
	}
	for _, member := range []string{"record", "identity_key"} {
		if !hashDigits.MatchString(text(erased, member)) {
			return false
		}
	}
	return isWhole(erased["at"], 0) && text(erased, "reason") != ""
}
