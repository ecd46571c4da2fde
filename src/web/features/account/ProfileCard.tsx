import { SectionCard } from '../../ui/Card.tsx'
import { ProfileForm } from './profile-form.tsx'

export function ProfileCard() {
  return (
    <SectionCard title="Profile" description="Your username, your email address and the property you're viewing.">
      <ProfileForm />
    </SectionCard>
  )
}
