import { readFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import type { Kill, Record as Part } from './journal.ts'

export type Run = { seed: number; command: string; begun: Date; seconds: number; parts: readonly Part[] }

/** The report of a run, as Markdown. */
export function reportOf({ seed, command, begun, seconds, parts }: Run): string {
  const kills = parts.flatMap((part) => part.kills)
  const findings = parts.flatMap((part) => part.findings.map((each) => `${part.name}: ${each}`))
  const notes = parts.flatMap((part) => part.notes.map((each) => `${each} (${part.name})`))
  return `# Fault injection: the last run

Written by \`${command}\`; the code is in [chaos/](../chaos). Run on ${begun.toISOString().slice(0, 16).replace('T', ' ')} UTC for ${Math.round(seconds / 60)} minutes with seed ${seed}, on ${machine()}. The same seed picks the same victims and moments, as far as timing allows.

**${kills.length} kills** (\`kill -9\`), ${findings.length === 0 ? '**nothing lost, duplicated, partly stored or wrongly marked**.' : `**${findings.length} findings**:\n\n${list(findings)}`}

## Kills by victim and activity

${table(kills)}

"Restart": killed again during startup. Jobs running at the time of the kills: ${jobsOf(kills)}.

## Recovery time

From the kill until every process is ready and \`/readyz\` says 200.

| part | times | median | longest |
|---|---|---|---|
${parts
  .filter(({ comebacks }) => comebacks.length > 0)
  .map(comebackRow)
  .join('\n')}

## Other faults

${notes.length === 0 ? 'Nothing in this run.' : list(notes)}

## What was checked

| part | minutes | full checks | stored days, each in seven grains | messages | acknowledged writes | writes in doubt |
|---|---|---|---|---|---|---|
${parts
  .filter(({ last }) => last !== null)
  .map(checkedRow)
  .join('\n')}

Each check compares everything with Google, the imported files, the receiving end of each channel and the log of acknowledged writes:

- the system settled on its own: no job, evaluation, alert event or message is left over;
- every acknowledged write of notes, rules, clients, schedules, API keys and settings is readable through its own route, once and complete, and deleted items stay deleted; a write without a response exists once or not at all; existing API keys work, revoked ones do not;
- every day of every property, and every imported file, has exactly its rows, clicks and impressions in every grain: none duplicated, partial or missing; every file has one import record, however it was imported and how often;
- exactly the pages whose clicks fell have an active alert, and only one each;
- every alert was queued for every channel, and is in one message of each; every message is marked as sent and has arrived.

After every single kill, everything becomes ready again, and no message is marked sent that did not arrive.

## Messages delivered more than once

| part | email | Slack | SMS | webhook | of messages |
|---|---|---|---|---|---|
${parts
  .filter(({ last }) => last !== null)
  .map(repeatedRow)
  .join('\n')}

In each case the process was killed between sending the message and recording it, or the receiver disconnected before it responded; a message may then arrive again. Repeated emails and webhooks are recognized by their key (Message-ID, \`webhook-id\`); Slack and SMS, which have none, by their text.
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
