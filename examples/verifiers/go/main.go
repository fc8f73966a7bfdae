// An offline verifier of Signet exports, written from docs/verify.md and docs/export.md alone.
//
//	go run . verify [-policy FILE] [-observers FILE] [-now UNIX_SECONDS] EXPORT.json
//	go run . vectors FOLDER
//
// Ends with 0 where nothing failed, with 1 where something did, and with 2 where it was not used as above.
package main

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"time"
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
	content, err := os.ReadFile(flags.Arg(0))
	if err != nil {
		return complain(err)
	}
	if !utf8.Valid(content) {
		return complain("The file is not a text in UTF-8.")
	}
	var p *policy
	if *policyFile != "" {
		written, err := os.ReadFile(*policyFile)
		if err != nil {
			return complain(err)
		}
		if p, err = newPolicy(string(written)); err != nil {
			return complain(fmt.Errorf("the policy cannot be used: %w", err))
		}
	}
	var o *observers
	if *observersFile != "" {
		written, err := os.ReadFile(*observersFile)
		if err != nil {
			return complain(err)
		}
		if o, err = newObservers(string(written)); err != nil {
			return complain(fmt.Errorf("the list of observers cannot be used: %w", err))
		}
	}
	var s steps
	if file := checkExport(&s, string(content), p, o, *now); file != nil {
		links, patches := file["links"].([]any), file["patches"].([]any)
		fmt.Printf("%d links and %d patches of %s\n", len(links), len(patches), file["avatar"])
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
