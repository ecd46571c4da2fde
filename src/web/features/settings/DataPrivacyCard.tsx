import { SectionCard } from '../../ui/Card.tsx'
import { AccountActivity } from './AccountActivity.tsx'
import { DeleteAccount } from './DeleteAccount.tsx'
import { ExportData } from './ExportData.tsx'

export function DataPrivacyCard() {
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
