import { useQuery } from '@tanstack/react-query'
import { Navigate, useLocation } from 'react-router'
import { sessionQuery } from '../../api/session.ts'
import { connectGoogle } from '../../lib/connect-google.ts'
import { returnPath } from '../../lib/return-path.ts'
import { paths } from '../../paths.ts'
import { LoadingScreen } from '../../shell/LoadingScreen.tsx'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { Logo } from '../../ui/Logo.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { LegalLine } from './LegalLine.tsx'
import { LoginForm } from './login-form.tsx'
import { useAuthFailure } from './use-auth-failure.ts'

export function AuthPage() {
  useAuthFailure()
  const location = useLocation()
  const { data: session } = useQuery(sessionQuery)
  if (session === undefined) return <LoadingScreen />
  if (session.authenticated) return <Navigate to={returnPath(location.state, paths.dashboard)} replace />

  const tabs = [{ value: 'login', label: 'Login', content: <LoginForm demo={session.demo} /> }]
  return (
    <main className="mx-auto flex min-h-dvh w-full max-w-md flex-col justify-center px-4 py-8">
      <title>Log in · Ranklark</title>
      <div className="mb-6 flex flex-col items-center gap-2 text-center">
        <h1>
          <Logo />
        </h1>
        <p className="text-muted">The alerts and reports you wish Search Console would send.</p>
      </div>
      <Card>
        <Tabs label="Log in or register" tabs={tabs} initial="login" />
        <div className="my-5 flex items-center gap-3 text-sm text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
          or
        </div>
        <Button className="w-full" onClick={() => connectGoogle()}>
          Connect with Google Search Console
        </Button>
      </Card>
      <LegalLine />
    </main>
  )
}
