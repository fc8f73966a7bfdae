#!/usr/bin/env bash
# Exit code 0 if the service of this container is ready, 1 if not: HEALTHCHECK of docker/Dockerfile, whose image has no
# curl. Bash opens the connection itself, because a new Node every ten seconds costs more than the service at rest.
exec 3<>"/dev/tcp/127.0.0.1/${PORT:-3000}" || exit 1
printf 'GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n' >&3
IFS=' ' read -r -t 4 _ status _ <&3 && [ "$status" = 200 ] || exit 1
