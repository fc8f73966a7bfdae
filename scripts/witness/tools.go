//go:build tools

// Package main pins litewitness, which test-witness.mjs builds.
package main

import _ "filippo.io/torchwood/cmd/litewitness"
