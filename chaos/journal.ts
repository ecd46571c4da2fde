import type { Repeated } from './checks/messages.ts'

export type Kill = { victim: string; activity: string; running: readonly string[] }
export type Checked = { days: number; sent: number; repeated: Repeated; acknowledged: number; inDoubt: number }

/** What happened in one part of the run. */
export type Record = {
  name: string
  seconds: number
  kills: Kill[]
  /** Milliseconds from the kill until everything answers again. */
  comebacks: number[]
  looks: number
  last: Checked | null
  /** Other notes for the report. */
  notes: string[]
  findings: string[]
}

export type Journal = {
  killed(kill: Kill): void
  kills(): number
  cameBack(ms: number): void
  checked(what: Checked): void
  note(text: string): void
  found(what: string): void
  /** A part of the run in which an error is a finding, not the end. */
  noting(work: () => Promise<void>): Promise<void>
  /** Whether going on can still reveal something. */
  mayGoOn(): boolean
  end(): Record
}

const mostFindings = 25

/** Keeps one part's journal, and prints what happens on the terminal. */
export function startJournal(name: string, say: (text: string) => void): Journal {
  const begun = performance.now()
  const record: Record = { name, seconds: 0, kills: [], comebacks: [], looks: 0, last: null, notes: [], findings: [] }
  const found = (what: string): void => {
    if (record.findings.includes(what)) return
    record.findings.push(what)
    say(`${name}: FOUND ${what}`)
  }
  return {
    found,
    killed(kill) {
      record.kills.push(kill)
      say(
        `${name}: kill ${record.kills.length}, ${kill.victim} during ${kill.activity}${kill.running.length > 0 ? ` (${kill.running.join(', ')})` : ''}`,
      )
    },
    kills: () => record.kills.length,
    cameBack: (ms) => void record.comebacks.push(ms),
    checked(what) {
      record.looks += 1
      record.last = what
      say(`${name}: checked ${what.days} days, ${what.sent} messages, ${what.acknowledged} writes after ${record.kills.length} kills`)
    },
    note(text) {
      record.notes.push(text)
      say(`${name}: ${text}`)
    },
    async noting(work) {
      try {
        await work()
      } catch (error) {
        found(error instanceof Error ? error.message : String(error))
      }
    },
    mayGoOn: () => record.findings.length < mostFindings,
    end: () => ({ ...record, seconds: (performance.now() - begun) / 1000 }),
  }
}
