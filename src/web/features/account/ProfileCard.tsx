import { SectionCard } from '../../ui/Card.tsx'
import { ProfileForm } from './profile-form.tsx'

export function ProfileCard() {
  return (
    <SectionCard title="Profile" description="What you log in with, where mail goes, and which property the screens show.">
      <ProfileForm />
    </SectionCard>
  )
}
