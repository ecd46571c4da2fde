import { ImportForm } from '../../shell/import/ImportForm.tsx'
import { useConnectionResult } from '../../shell/use-connection-result.ts'
import { SectionCard } from '../../ui/Card.tsx'
import { GoogleIntegrationCard } from './GoogleIntegrationCard.tsx'
import { GoogleSignInPart } from './GoogleSignInPart.tsx'
import { PasswordPart } from './PasswordPart.tsx'
import { ProfileCard } from './ProfileCard.tsx'
import { SessionsPart } from './SessionsPart.tsx'
import { TwoFactorPart } from './TwoFactorPart.tsx'

export function AccountPage() {
  useConnectionResult()
  return (
    <>
      <title>Account · Ranklark</title>
      <h1 className="mb-5 text-title font-semibold">Account</h1>
      <div className="grid max-w-3xl grid-cols-1 gap-5">
        <ProfileCard />
        <SecurityCard />
        <GoogleIntegrationCard />
        <SectionCard
          title="Import"
          description="Add Search Console data you've exported: older days of a connected property, or a new property."
        >
          <ImportForm />
        </SectionCard>
      </div>
    </>
  )
}

function SecurityCard() {
  return (
    <SectionCard title="Account security">
      <div className="flex flex-col gap-6 divide-y divide-line *:not-last:pb-6">
        <PasswordPart />
        <GoogleSignInPart />
        <TwoFactorPart />
        <SessionsPart />
      </div>
    </SectionCard>
  )
}
