import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { downloadExport } from '../../api/account.ts'
import { failureText } from '../../api/client.ts'
import { saveColorBy, useColorBy } from '../../lib/color-by.ts'
import { saveFile } from '../../lib/save-file.ts'
import { useCurrentUser } from '../../shell/current-user.ts'
import { saveTheme, themeNames, themes, useTheme } from '../../shell/theme.ts'
import { Button } from '../../ui/Button.tsx'
import { SectionCard } from '../../ui/Card.tsx'
import { Select } from '../../ui/form/Select.tsx'
import { Switch } from '../../ui/form/Switch.tsx'
import { toast } from '../../ui/overlay/toast.ts'
import { Progress } from '../../ui/Progress.tsx'
import { AccountActivity } from './AccountActivity.tsx'
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
