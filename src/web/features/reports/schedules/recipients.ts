import { reportScheduleChange } from '../../../../contract/reports/reports.ts'
import { mostRecipients } from '../../../../contract/reports/limits.ts'

const address = reportScheduleChange.shape.recipients.element

type Added = { recipients: string[] } | { problem: string }

/**
 * Adds typed or pasted recipients: one address, or several separated by commas, semicolons or spaces. Skips those already present.
 * @param limit of the plan, or of reports in general
 */
export function addRecipients(typed: string, present: readonly string[], limit: number): Added {
  const words = typed.split(/[\s,;]+/).filter((word) => word !== '')
  if (words.length === 0) return { problem: 'Please enter a valid email address' }
  const wrong = words.find((word) => !address.safeParse(word).success)
  if (wrong !== undefined) {
    return { problem: words.length === 1 ? 'Please enter a valid email address' : `“${wrong}” isn't a valid email address` }
  }
  const known = new Set(present.map((each) => each.toLowerCase()))
  const recipients = [...present]
  for (const word of words) {
    if (known.has(word.toLowerCase())) continue
    known.add(word.toLowerCase())
    recipients.push(word)
  }
  if (recipients.length > limit)
    return {
      problem:
        limit < mostRecipients
          ? `Your plan allows up to ${limit} recipients per report`
          : `A report can have at most ${limit.toLocaleString('en-US')} recipients`,
    }
  return { recipients }
}
