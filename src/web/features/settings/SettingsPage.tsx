import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { auditDays, type AuditEvent } from '../../../contract/audit.ts'
import { activityWords } from '../../../core/accounts/copy.ts'
import { auditQuery, downloadExport } from '../../api/account.ts'
import { failureText } from '../../api/client.ts'
import { saveColorBy, useColorBy } from '../../lib/color-by.ts'
import { formatInstant } from '../../lib/dates.ts'
import { deviceOf } from '../../lib/device.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import { saveFile } from '../../lib/save-file.ts'
import { useCurrentUser } from '../../shell/current-user.ts'
import { saveTheme, themeNames, themes, useTheme } from '../../shell/theme.ts'
import { Button } from '../../ui/Button.tsx'
import { SectionCard } from '../../ui/Card.tsx'
import { Select } from '../../ui/form/Select.tsx'
import { Switch } from '../../ui/form/Switch.tsx'
import { toast } from '../../ui/overlay/toast.ts'
import { Progress } from '../../ui/Progress.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { DeleteAccount } from './DeleteAccount.tsx'
import { EmailNotificationsCard } from './EmailNotificationsCard.tsx'
import { SubscriptionCard } from './SubscriptionCard.tsx'

export function SettingsPage() {
  const { plan } = useCurrentUser()
  return (
    <>
      <title>Account settings · Ranklark</title>
      <h1 className="mb-5 text-title font-semibold">Account Settings</h1>
      <div className="grid max-w-[64rem] grid-cols-1 gap-5">
        {plan !== null && <SubscriptionCard />}
        <EmailNotificationsCard />
        <DisplayCard />
        <DataPrivacyCard />
      </div>
    </>
  )
}

function DataPrivacyCard() {
  return (
    <SectionCard title="Data and privacy" description="Export your data, or delete your account.">
      <div className="flex flex-col gap-5">
        <ExportData />
        <div className="border-t border-line pt-5">
          <AccountActivity />
        </div>
        <div className="border-t border-line pt-5">
          <DeleteAccount />
        </div>
      </div>
    </SectionCard>
  )
}

const choices = themes.map((value) => ({ value, label: themeNames[value] }))

/** Display settings of this browser. */
function DisplayCard() {
  const theme = useTheme()
  const colorBy = useColorBy()
  return (
    <SectionCard title="Display" description="How Ranklark looks in this browser.">
      <div className="flex max-w-2xl flex-col gap-5">
        <div className="max-w-md">
          <Select label="Theme" placeholder="Choose a theme" value={theme} choices={choices} onChange={saveTheme} />
        </div>
        <div className="border-t border-line pt-5">
          <Switch
            label="Colors as specified"
            hint="Off: green is better, red is worse. On: a rise in clicks is red and a drop is green. Reports, shared links and PDFs always show improvements in green."
            checked={colorBy === 'figure'}
            onChange={(on) => saveColorBy(on ? 'figure' : 'outcome')}
          />
        </div>
      </div>
    </SectionCard>
  )
}

function ExportData() {
  const [received, setReceived] = useState(0)
  const download = useMutation({
    mutationFn: () => downloadExport(setReceived),
    onMutate: () => setReceived(0),
    onSuccess: ({ file, name }) => {
      saveFile(file, name)
      toast.success('Data Exported', `${name} is in your downloads.`)
    },
    onError: (error) => toast.error('Export Failed', failureText(error, "Couldn't export your data. Please try again.")),
  })
  return (
    <section aria-labelledby="export-data">
      <h3 id="export-data" className="font-semibold">
        Export my data
      </h3>
      <p className="mt-1 max-w-[70ch] text-muted">
        A ZIP file with your account, your settings and all stored data for your properties, as CSV and JSON.
      </p>
      <div className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button disabled={download.isPending} onClick={() => download.mutate()}>
          <Download aria-hidden />
          {download.isPending ? 'Exporting...' : 'Export my data'}
        </Button>
        {download.isPending && (
          <div className="flex min-w-0 flex-1 basis-40 items-center gap-3">
            <Progress label="Export" fraction={null} className="h-1.5 max-w-40" />
            <span className="whitespace-nowrap text-muted tabular-nums">{(received / 1_000_000).toFixed(1)} MB</span>
          </div>
        )}
      </div>
    </section>
  )
}

/** Initially, so that content after the list stays visible. */
const shownAtFirst = 8

function AccountActivity() {
  return (
    <section aria-labelledby="account-activity">
      <h3 id="account-activity" className="font-semibold">
        Account activity
      </h3>
      <p className="mt-1 max-w-[70ch] text-muted">
        Logins, API keys and account changes from the last {auditDays} days, and where they came from. If you don't recognize something,
        change your password and log out other sessions.
      </p>
      <div className="mt-4">
        <Activity />
      </div>
    </section>
  )
}

function Activity() {
  const [all, setAll] = useState(false)
  const { data, error, refetch, hasNextPage, isFetching, isFetchingNextPage, isFetchNextPageError, fetchNextPage } =
    useInfiniteQuery(auditQuery)
  const events = data?.pages.flatMap((page) => page.events)
  if (events === undefined && error === null) return <Skeleton className="h-40 max-w-2xl" />
  if (events === undefined) {
    return (
      <div role="alert" className="flex flex-wrap items-center gap-3">
        <p>{failureText(error, "Couldn't load your account activity.")}</p>
        <Button disabled={isFetching} onClick={() => void refetch()}>
          Try again
        </Button>
      </div>
    )
  }
  if (events.length === 0) return <p className="text-muted">No activity yet. Logins and changes will appear here.</p>
  const isMore = all ? hasNextPage : hasNextPage || events.length > shownAtFirst
  return (
    <>
      <ActivityList events={all ? events : events.slice(0, shownAtFirst)} />
      {isFetchNextPageError && (
        <p role="alert" className="mt-3">
          {failureText(error, "Couldn't load older activity. Please try again.")}
        </p>
      )}
      {isMore && (
        <Button className="mt-4" disabled={isFetchingNextPage} onClick={() => (all ? void fetchNextPage() : setAll(true))}>
          {isFetchingNextPage ? 'Loading...' : 'Show older activity'}
        </Button>
      )}
    </>
  )
}

function ActivityList({ events }: { events: readonly AuditEvent[] }) {
  const now = useNow()
  return (
    <ul aria-labelledby="account-activity" className="divide-y divide-line">
      {events.map((event) => (
        <li key={event.id} className="py-2.5 first:pt-0 last:pb-0 sm:flex sm:items-baseline sm:gap-4">
          <time dateTime={event.at} className="block shrink-0 text-sm text-muted tabular-nums sm:w-36">
            {formatInstant(new Date(event.at), now)}
          </time>
          <div className="min-w-0">
            <p className="break-words">{activityWords(event.change)}</p>
            <p className="text-sm break-words text-muted">{originOf(event)}</p>
          </div>
        </li>
      ))}
    </ul>
  )
}

/** Who it was: `Firefox on Windows · 203.0.113.7`, `API key “Looker” · 203.0.113.7`, Ranklark itself, or a reader of its emails. */
function originOf({ by, key, userAgent, address }: AuditEvent): string {
  if (by === 'house') return 'By Ranklark'
  if (by === 'reader') return 'Through a link in an email'
  const program = key === null ? deviceOf(userAgent).name : `API key “${key}”`
  return address === null ? program : `${program} · ${address}`
}
