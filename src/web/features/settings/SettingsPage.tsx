import { saveColorBy, useColorBy } from '../../lib/color-by.ts'
import { useCurrentUser } from '../../shell/current-user.ts'
import { saveTheme, themeNames, themes, useTheme } from '../../shell/theme.ts'
import { SectionCard } from '../../ui/Card.tsx'
import { Select } from '../../ui/form/Select.tsx'
import { Switch } from '../../ui/form/Switch.tsx'
import { AccountActivity } from './AccountActivity.tsx'
import { DeleteAccount } from './DeleteAccount.tsx'
import { EmailNotificationsCard } from './EmailNotificationsCard.tsx'
import { ExportData } from './ExportData.tsx'
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
