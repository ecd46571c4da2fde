import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import type { Alert } from '../../../contract/alerts/alerts.ts'
import { formatMoment } from '../../lib/dates.ts'
import { AlertChange } from '../../ui/alert/AlertChange.tsx'
import { HistoryActions, HistoryBadges, HistoryState, HistoryText, typeLabel } from './HistoryParts.tsx'

export type HistoryRow = { alert: Alert; /** Null for a sample. */ onView: (() => void) | null }

export function HistoryTable({ rows, now }: { rows: readonly HistoryRow[]; now: Date }) {
  return (
    <table className="w-full">
      <caption className="sr-only">Alerts</caption>
      <thead>
        <tr className="border-b border-line text-left text-sm text-muted">
          <Head className="pr-4 pl-6">When</Head>
          <Head className="pr-4">Severity</Head>
          <Head className="pr-4">Type</Head>
          <Head className="w-full pr-4">Alert</Head>
          <Head className="pr-6 text-right">Change</Head>
          <Head className="pr-4">State</Head>
          <Head className="pr-4">
            <span className="sr-only">Actions</span>
          </Head>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ alert, onView }) => (
          <tr key={alert.id} className="border-b border-line align-top text-sm last:border-0">
            <td className="py-4 pr-4 pl-6 whitespace-nowrap text-muted tabular-nums">
              <time dateTime={alert.timestamp}>{formatMoment(new Date(alert.timestamp), now)}</time>
            </td>
            <td className="py-3.5 pr-4">
              <span className="flex flex-col items-start gap-1.5">
                <HistoryBadges alert={alert} onView={onView} />
              </span>
            </td>
            <td className="py-4 pr-4 whitespace-nowrap">{typeLabel(alert)}</td>
            <th scope="row" className="py-4 pr-4 text-left text-base font-normal">
              <HistoryText alert={alert} onView={onView} />
            </th>
            <td className="min-w-34 py-4 pr-6 text-right [&>span]:justify-end empty:before:text-muted empty:before:content-['–']">
              <AlertChange alert={alert} />
            </td>
            <td className="py-3.5 pr-4">
              <HistoryState alert={alert} now={now} />
            </td>
            <td className="py-2.5 pr-4 whitespace-nowrap">{onView !== null && <HistoryActions alert={alert} onView={onView} />}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Head({ className, children }: { className: string; children: ReactNode }) {
  return (
    <th scope="col" className={clsx('py-2.5 font-medium', className)}>
      {children}
    </th>
  )
}
