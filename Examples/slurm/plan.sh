#!/bin/sh
# Plans a library and submits an array job: plan.sh PARTS OUTPUT ROOT...
# All nodes need the roots and OUTPUT at the same absolute paths.
set -eu
parts=$1 output=$2
shift 2
undertext batch plan "$@" --output "$output" --manifest "$output/plan.jsonl" --shards "$parts" --force
here=$(cd "$(dirname "$0")" && pwd)
sbatch --array="1-$parts" --export=ALL,OUTPUT="$output" "$here/extract.sbatch"
