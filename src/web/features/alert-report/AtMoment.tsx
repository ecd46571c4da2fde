import { formatMoment } from '../../lib/dates.ts'

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
const whole = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short' })

/** When something happened, in local time: `Today, 14:05`, `Monday, 14:05`, `3 Nov, 14:05`. */
export function AtMoment({ at, now }: { at: string; now: Date }) {
  const moment = new Date(at)
  const day = formatMoment(moment, now)
  return (
    <time dateTime={at} title={whole.format(moment)} className="whitespace-nowrap tabular-nums">
      {day.includes(',') ? day : `${day}, ${clock.format(moment)}`}
    </time>
  )
}
