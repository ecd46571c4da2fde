import { useCurrentUser } from '../../shell/current-user.ts'
import { DataPrivacyCard } from './DataPrivacyCard.tsx'
import { DisplayCard } from './DisplayCard.tsx'
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
