#!/bin/sh
# Plans a library, and submits an array job and a job that joins its journals: plan.sh PARTS OUTPUT ROOT...
# All nodes need the roots and OUTPUT at the same absolute paths. A second call continues the plan of OUTPUT, if it has one.
set -eu
parts=$1 output=$2
shift 2
mkdir -p "$output/journals"
output=$(cd "$output" && pwd)
[ -e "$output/plan.jsonl" ] ||
    undertext batch plan "$@" --output "$output" --manifest "$output/plan.jsonl" --shards "$parts"
here=$(cd "$(dirname "$0")" && pwd)
export OUTPUT="$output"
job=$(sbatch --parsable --array="1-$parts" "$here/extract.sbatch")
job=${job%%;*}
echo "Submitted array job $job"
sbatch --dependency="afterany:$job" "$here/merge.sbatch"
