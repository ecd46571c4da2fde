import { formatDay } from '../../lib/dates.ts'
import { someOf, type Trial } from './copy.ts'

/** Names per day that a table can show without becoming a list of names. */
const mostNames = 20

/** The timeline's data as a table, newest day first. */
export function TrialTable({ days }: Pick<Trial, 'days'>) {
  return (
    <table className="w-96 max-w-full text-sm tabular-nums">
      <caption className="sr-only">Days with alerts</caption>
      <thead>
        <tr className="border-b border-line text-muted">
          <th scope="col" className="py-1.5 pr-4 text-left font-medium">
            Date
          </th>
          <th scope="col" className="py-1.5 pr-4 text-right font-medium">
            Alerts
          </th>
          <th scope="col" className="py-1.5 pr-4 text-right font-medium">
            Ignored
          </th>
          <th scope="col" className="py-1.5 text-left font-medium">
            Affected
          </th>
        </tr>
      </thead>
      <tbody>
        {days.toReversed().map(({ date, alerts, silenced, entities }) => (
          <tr key={date} className="border-b border-line align-top last:border-0">
            <th scope="row" className="py-1.5 pr-4 text-left font-normal whitespace-nowrap">
              {formatDay(date, true)}
            </th>
            <td className="py-1.5 pr-4 text-right">{alerts}</td>
            <td className="py-1.5 pr-4 text-right">{silenced}</td>
            <td className="py-1.5 wrap-anywhere">
              <Names entities={entities} count={alerts + silenced} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Names({ entities, count }: { entities: readonly string[]; count: number }) {
  const { names, more } = someOf(entities, mostNames, count)
  return (
    <>
      {names.map((name) => (
        <div key={name}>{name}</div>
      ))}
      {more !== null && <div className="text-muted">{more}</div>}
    </>
  )
}
