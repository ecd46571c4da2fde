import { SectionCard } from '../../ui/Card.tsx'
import { GoogleSignInPart } from './GoogleSignInPart.tsx'
import { PasswordPart } from './PasswordPart.tsx'
import { SessionsPart } from './SessionsPart.tsx'
import { TwoFactorPart } from './TwoFactorPart.tsx'

export function SecurityCard() {
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
