import { ImportForm } from '../../shell/import/ImportForm.tsx'
import { useConnectionResult } from '../../shell/use-connection-result.ts'
import { SectionCard } from '../../ui/Card.tsx'
import { GoogleIntegrationCard } from './GoogleIntegrationCard.tsx'
import { ProfileCard } from './ProfileCard.tsx'
import { SecurityCard } from './SecurityCard.tsx'

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
