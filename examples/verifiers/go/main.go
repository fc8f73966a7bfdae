// An offline verifier of Signet exports, written from docs/verify.md and docs/export.md alone.
//
//	go run . verify [-policy FILE] [-observers FILE] [-now UNIX_SECONDS] EXPORT.json
//	go run . vectors FOLDER
//
// Ends with 0 where nothing failed, with 1 where something did, and with 2 where it was not used as above.
package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"
)

const usage = `usage: signet-verify verify [-policy FILE] [-observers FILE] [-now UNIX_SECONDS] EXPORT.json
       signet-verify vectors FOLDER`

const (
	exitVerified = iota
	exitNotVerified
	exitUsage
)

func main() {
	if len(os.Args) < 2 {
		os.Exit(complain(usage))
	}
	switch command, words := os.Args[1], os.Args[2:]; command {
	case "verify":
		os.Exit(runVerify(words))
	case "vectors":
		os.Exit(runVectors(words))
	}
	os.Exit(complain(usage))
}

func complain(problem any) int {
	fmt.Fprintln(os.Stderr, problem)
	return exitUsage
}

func runVerify(words []string) int {
	flags := flag.NewFlagSet("verify", flag.ExitOnError)
	policyFile := flags.String("policy", "", "a policy (C2SP tlog-policy): whom to believe about the log")
	observersFile := flags.String("observers", "", "a list of observers: whom to believe about posts")
	now := flags.Uint64("now", uint64(time.Now().Unix()), "UNIX seconds")
	flags.Usage = func() { complain(usage) }
	if err := flags.Parse(words); err != nil || flags.NArg() != 1 {
		return complain(usage)
	}
	content, err := readText(flags.Arg(0))
	if err != nil {
		return complain(err)
	}
	var p *policy
	if *policyFile != "" {
		written, err := readText(*policyFile)
		if err != nil {
			return complain(err)
		}
		if p, err = newPolicy(written); err != nil {
			return complain(fmt.Errorf("the policy cannot be used: %w", err))
		}
	}
	var o *observers
	if *observersFile != "" {
		written, err := readText(*observersFile)
		if err != nil {
			return complain(err)
		}
		if o, err = newObservers(written); err != nil {
			return complain(fmt.Errorf("the list of observers cannot be used: %w", err))
		}
	}
	var s steps
	if file := checkExport(&s, content, p, o, *now); file != nil {
		links, patches := file["links"].([]any), file["patches"].([]any)
		fmt.Printf("%d links and %d patches of %s\n", len(links), len(patches), file["avatar"])
		if keys, _ := file["keys"].([]any); s.isGood() {
			showKeys(stateAt(keys, float64(*now)))
			checkHoldsIn(&s, file, float64(*now))
		}
	}
	for _, one := range s {
		if one.where != "" {
			one.where = " (" + one.where + ")"
		}
		fmt.Printf("%-14s %s%s\n", one.state, one.name, one.where)
	}
	if !s.isGood() {
		fmt.Printf("not verified: %s\n", strings.Join(s.named(failed), ", "))
		return exitNotVerified
	}
	fmt.Println("verified")
	return exitVerified
}

// showKeys prints what the key events of a file lead to, for people.
func showKeys(k keyState) {
	if k.succession != nil {
		fmt.Printf("succeeded by %s: bindings behind %v are void\n", k.succession.successor, k.succession.sinceLink)
	}
	if k.pendingSuccession != nil {
		fmt.Printf("frozen: %s is to succeed it\n", text(k.pendingSuccession.fields, "successor"))
	}
	if k.frozen != nil {
		fmt.Printf("frozen until UNIX time %.0f\n", k.frozen.dueAt)
	}
}

const byteOrderMark = "\ufeff"

var errNotUTF8 = errors.New("The file is not a text in UTF-8.")

// readText is the text of a file: UTF-8, or UTF-16 with a byte order mark, which is left out.
func readText(name string) (string, error) {
	content, err := os.ReadFile(name)
	if err != nil {
		return "", err
	}
	var order binary.ByteOrder
	switch {
	case bytes.HasPrefix(content, []byte{0xff, 0xfe, 0, 0}), bytes.HasPrefix(content, []byte{0, 0, 0xfe, 0xff}):
		return "", errNotUTF8 // UTF-32
	case bytes.HasPrefix(content, []byte{0xff, 0xfe}):
		order = binary.LittleEndian
	case bytes.HasPrefix(content, []byte{0xfe, 0xff}):
		order = binary.BigEndian
	}
	written := string(content)
	if order != nil {
		if len(content)%2 != 0 {
			return "", errNotUTF8
		}
		units := make([]uint16, len(content)/2)
		for i := range units {
			units[i] = order.Uint16(content[2*i:])
		}
		written = string(utf16.Decode(units))
	}
	if !utf8.ValidString(written) {
		return "", errNotUTF8
	}
	return strings.ReplaceAll(strings.TrimPrefix(written, byteOrderMark), "\r\n", "\n"), nil
}

func runVectors(words []string) int {
	if len(words) != 1 {
		return complain(usage)
	}
	count, differences, err := checkFolder(words[0])
	if err != nil {
		return complain(err)
	}
	for _, difference := range differences {
		fmt.Fprintln(os.Stderr, difference)
	}
	fmt.Printf("%d of %d vectors as expected\n", count-len(differences), count)
	if len(differences) > 0 {
		return exitNotVerified
	}
	return exitVerified
}
