// A client of logs and witnesses that is not ours: torchwood (FiloSottile) and golang.org/x/mod/sumdb. For
// test-witness.mjs, which builds it beside litewitness.
//
//	client agent SOCKET SEED                       serves an Ed25519 key to litewitness, as ssh-agent would
//	client add-log DATABASE ORIGIN KEY             lets a litewitness watch a log
//	client read LOG_URL POLICY_FILE                reads the whole log, and prints its size
//	client prove POLICY_FILE PROOF_FILE            verifies a proof file
//	client ask LOG_URL POLICY_FILE WITNESS_URL WITNESS_KEY OLD_SIZE [spoil]
//	                                               has a witness sign the checkpoint of the log
package main

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"filippo.io/torchwood"
	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/agent"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"
)

func main() {
	commands := map[string]func([]string) error{
		"agent": serveKey, "add-log": addLog, "read": read, "prove": prove, "ask": ask,
	}
	if len(os.Args) < 2 || commands[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "usage: client agent | add-log | read | prove | ask ...")
		os.Exit(2)
	}
	if err := commands[os.Args[1]](os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// serveKey prints the fingerprint of the key, and serves it until it is killed.
func serveKey(words []string) error {
	seed, err := hex.DecodeString(words[1])
	if err != nil {
		return err
	}
	key := ed25519.NewKeyFromSeed(seed)
	public, err := ssh.NewPublicKey(key.Public())
	if err != nil {
		return err
	}
	keys := agent.NewKeyring()
	if err := keys.Add(agent.AddedKey{PrivateKey: key}); err != nil {
		return err
	}
	listener, err := net.Listen("unix", words[0])
	if err != nil {
		return err
	}
	fmt.Println(ssh.FingerprintSHA256(public))
	for {
		connection, err := listener.Accept()
		if err != nil {
			return err
		}
		go agent.ServeAgent(keys, connection)
	}
}

// addLog does what witnessctl does, whose dependencies cannot always be had.
func addLog(words []string) error {
	db, err := sqlite.OpenConn(words[0])
	if err != nil {
		return err
	}
	defer db.Close()
	empty := sha256.Sum256(nil)
	root := base64.StdEncoding.EncodeToString(empty[:])
	log := &sqlitex.ExecOptions{Args: []any{words[1], root}}
	if err := sqlitex.Execute(db, "insert into log (origin, tree_size, tree_hash) values (?, 0, ?)", log); err != nil {
		return err
	}
	key := &sqlitex.ExecOptions{Args: []any{words[1], words[2]}}
	return sqlitex.Execute(db, "insert into key (origin, key) values (?, ?)", key)
}

func policyIn(file string) (torchwood.Policy, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return torchwood.ParsePolicy(text)
}

// head is the checkpoint of a log, which the policy has to accept, and what reads its tiles.
func head(logURL, policyFile string) (torchwood.Checkpoint, []byte, *torchwood.TileFetcher, error) {
	policy, err := policyIn(policyFile)
	if err != nil {
		return torchwood.Checkpoint{}, nil, nil, err
	}
	tiles, err := torchwood.NewTileFetcher(logURL)
	if err != nil {
		return torchwood.Checkpoint{}, nil, nil, err
	}
	signed, err := tiles.ReadEndpoint(context.Background(), "checkpoint")
	if err != nil {
		return torchwood.Checkpoint{}, nil, nil, err
	}
	checkpoint, _, err := torchwood.VerifyCheckpoint(signed, policy)
	return checkpoint, signed, tiles, err
}

// read reads every entry, each of which the library holds against the root.
func read(words []string) error {
	checkpoint, _, tiles, err := head(words[0], words[1])
	if err != nil {
		return err
	}
	client, err := torchwood.NewClient(tiles, torchwood.WithTimeout(time.Minute))
	if err != nil {
		return err
	}
	count := int64(0)
	for range client.AllEntries(context.Background(), checkpoint.Tree, 0) {
		count++
	}
	if err := client.Err(); err != nil {
		return err
	}
	if count != checkpoint.N {
		return fmt.Errorf("the checkpoint says %d entries, and there are %d", checkpoint.N, count)
	}
	fmt.Println(count)
	return nil
}

func prove(words []string) error {
	policy, err := policyIn(words[0])
	if err != nil {
		return err
	}
	proof, err := os.ReadFile(words[1])
	if err != nil {
		return err
	}
	entry, err := torchwood.ProofExtraData(proof)
	if err != nil {
		return err
	}
	return torchwood.VerifyProof(policy, tlog.RecordHash(entry), proof)
}

// ask prints the status of the answer, and what follows from it.
func ask(words []string) error {
	checkpoint, signed, tiles, err := head(words[0], words[1])
	if err != nil {
		return err
	}
	oldSize, err := strconv.ParseInt(words[4], 10, 64)
	if err != nil {
		return err
	}
	body := fmt.Sprintf("old %d\n", oldSize)
	if oldSize > 0 && oldSize < checkpoint.N {
		hashes := torchwood.TileHashReaderWithContext(context.Background(), checkpoint.Tree, tiles)
		proof, err := tlog.ProveTree(checkpoint.N, oldSize, hashes)
		if err != nil {
			return err
		}
		for _, hash := range proof {
			if len(words) > 5 {
				hash[0] ^= 1
			}
			body += hash.String() + "\n"
		}
	}
	reply, err := http.Post(words[2]+"/add-checkpoint", "text/plain", strings.NewReader(body+"\n"+string(signed)))
	if err != nil {
		return err
	}
	defer reply.Body.Close()
	said, err := io.ReadAll(reply.Body)
	if err != nil {
		return err
	}
	if reply.StatusCode != http.StatusOK {
		fmt.Println(reply.StatusCode, reply.Header.Get("Content-Type"), strings.TrimSpace(string(said)))
		return nil
	}
	verifier, err := torchwood.NewCosignatureVerifier(words[3])
	if err != nil {
		return err
	}
	text, _, _ := bytes.Cut(signed, []byte("\n\n"))
	cosigned := append(append(bytes.Clone(text), "\n\n"...), said...)
	opened, err := note.Open(cosigned, note.VerifierList(verifier))
	if err != nil {
		return err
	}
	at, err := torchwood.CosignatureTimestamp(opened.Sigs[0])
	if err != nil {
		return err
	}
	if age := time.Since(time.Unix(at, 0)).Abs(); age > 5*time.Minute {
		return fmt.Errorf("the cosignature is of another time: %v", age)
	}
	fmt.Println(reply.StatusCode, "cosigned", checkpoint.N)
	return nil
}
