import { readFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import type { Kill, Record as Part } from './journal.ts'

export type Run = { seed: number; command: string; begun: Date; seconds: number; parts: readonly Part[] }

/** The report of a run, as Markdown. */
export function reportOf({ seed, command, begun, seconds, parts }: Run): string {
  const kills = parts.flatMap((part) => part.kills)
  const findings = parts.flatMap((part) => part.findings.map((each) => `${part.name}: ${each}`))
  const notes = parts.flatMap((part) => part.notes.map((each) => `${each} (${part.name})`))
  return `# Faults: the last run

Written by \`${command}\`; how it works is in [chaos/](../chaos). Ran on ${begun.toISOString().slice(0, 16).replace('T', ' ')} UTC for ${Math.round(seconds / 60)} minutes with seed ${seed}, on ${machine()}. The same seed chooses the same victims and moments, as far as the machine keeps time.

**${kills.length} kills** (\`kill -9\`), ${findings.length === 0 ? '**nothing lost, doubled, halved or falsely marked**.' : `**${findings.length} findings**:\n\n${list(findings)}`}

## What was killed, and during what

${table(kills)}

"Coming back": killed again while it started. At the moment of the kills the queue was at: ${jobsOf(kills)}.

## How long coming back took

From the kill until every process is ready and \`/readyz\` says 200.

| part | times | median | longest |
|---|---|---|---|
${parts
  .filter(({ comebacks }) => comebacks.length > 0)
  .map(comebackRow)
  .join('\n')}

## What was broken otherwise

${notes.length === 0 ? 'Nothing in this run.' : list(notes)}

## What was compared

| part | minutes | looks at everything | days of facts, each in six grains | messages | writes acknowledged | writes in doubt |
|---|---|---|---|---|---|---|
${parts
  .filter(({ last }) => last !== null)
  .map(checkedRow)
  .join('\n')}

At every look all of it is compared with what Google, the files handed in, the other side of each channel and the book of answered writes say:

- it came to rest by itself: no job, judgement, news or message is left over;
- every acknowledged write of notes, rules, clients, scheduled reports, API keys and settings is found through its own route, once and wholly, and what was taken away stays away; a write without an answer is there once or not at all; a key that is there lets in, one that was taken away does not;
- every day of every property, and every imported file, has in every grain exactly its rows, clicks and impressions: none doubled, halved or missing; of every file there is one note, whichever way it was handed in and how often;
- exactly the pages that fell have an alert that lasts, and each only one;
- every alert was noted for every channel, and is in one message of each; every message is marked sent and did arrive.

After every single kill: everything is ready again, and no message is marked sent that did not arrive.

## Messages that came more than once

| part | e-mail | Slack | SMS | webhook | of messages |
|---|---|---|---|---|---|
${parts
  .filter(({ last }) => last !== null)
  .map(repeatedRow)
  .join('\n')}

Each of them was killed between sending and noting it, or broken off by the other side before it was answered, which is when a message may come again. E-mail and webhooks are recognised by the key they keep (Message-ID, \`webhook-id\`), Slack and SMS, which know none, by what they say.
`
}

const list = (lines: readonly string[]): string => lines.map((line) => `- ${line}`).join('\n')

function machine(): string {
  const [first] = cpus()
  return `${cpus().length} × ${first?.model.trim() ?? 'an unknown processor'}, ${Math.round(totalmem() / 1024 ** 3)} GiB of memory, Node ${process.version}, ${release()}`
}

function release(): string {
  try {
    return /^PRETTY_NAME="?([^"\n]+)/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? process.platform
  } catch {
    return process.platform
  }
}

/** Victims down, activities across. */
function table(kills: readonly Kill[]): string {
  const activities = [...new Set(kills.map(({ activity }) => activity))].toSorted()
  const rows = [...Map.groupBy(kills, ({ victim }) => victim)].toSorted(([, a], [, b]) => b.length - a.length)
  const countOf = (some: readonly Kill[], activity: string): string =>
    String(some.filter((kill) => kill.activity === activity).length || '')
  return [
    `| victim | ${activities.join(' | ')} | all |`,
    `|---|${activities.map(() => '---|').join('')}---|`,
    ...rows.map(([victim, its]) => `| ${victim} | ${activities.map((activity) => countOf(its, activity)).join(' | ')} | ${its.length} |`),
    `| all | ${activities.map((activity) => countOf(kills, activity)).join(' | ')} | ${kills.length} |`,
  ].join('\n')
}

function jobsOf(kills: readonly Kill[]): string {
  const names = kills.flatMap(({ running }) => running)
  const counts = [...Map.groupBy(names, (name) => name)].map(([name, all]) => [name, all.length] as const).toSorted((a, b) => b[1] - a[1])
  return counts.length === 0 ? 'nothing' : counts.map(([name, count]) => `\`${name}\` ${count} times`).join(', ')
}

function comebackRow({ name, comebacks }: Part): string {
  const sorted = comebacks.toSorted((a, b) => a - b)
  const [median = 0, longest = 0] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)]
  return `| ${name} | ${sorted.length} | ${(median / 1000).toFixed(1)} s | ${(longest / 1000).toFixed(1)} s |`
}

const checkedRow = ({ name, seconds, looks, last }: Part): string =>
  `| ${name} | ${Math.round(seconds / 60)} | ${looks} | ${last?.days} | ${last?.sent} | ${last?.acknowledged} | ${last?.inDoubt} |`

const repeatedRow = ({ name, last }: Part): string =>
  `| ${name} | ${last?.repeated.email} | ${last?.repeated.slack} | ${last?.repeated.sms} | ${last?.repeated.webhook} | ${last?.sent} |`
