import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Navigate, useLocation, useSearchParams } from 'react-router'
import { sessionQuery } from '../../api/session.ts'
import { usePurchaseFlow } from '../../shell/purchase/purchase-flow-context.ts'
import { returnPath } from '../../lib/return-path.ts'
import { usePassingParam } from '../../lib/hooks/use-passing-param.ts'
import { paths } from '../../paths.ts'
import { LoadingScreen } from '../../shell/LoadingScreen.tsx'
import { Logo } from '../../ui/Logo.tsx'
import { CardPage } from '../../shell/CardPage.tsx'
import { AuthTabs } from './AuthTabs.tsx'
import { LegalLine } from './LegalLine.tsx'
import { TwoFactorForm } from './two-factor-form.tsx'
import { useAuthFailure } from './use-auth-failure.ts'

export function AuthPage() {
  useAuthFailure()
  const location = useLocation()
  const tab = useSearchParams()[0].get('tab')
  // Somebody who came back from Google, and whose account asks for a code as well.
  const fromGoogle = usePassingParam('two-factor') !== null
  const [step, setStep] = useState<'password' | 'code'>(fromGoogle ? 'code' : 'password')
  const [registered, setRegistered] = useState(false)
  const { data: session } = useQuery(sessionQuery)
  const { flow } = usePurchaseFlow()
  if (session === undefined) return <LoadingScreen />
  if (session.user !== null) {
    const wanted = registered ? paths.choosePlan : returnPath(location.state, paths.dashboard)
    // A plan chosen as a visitor is not for somebody who has one.
    const isVisitorsPayment = wanted === paths.payment && session.user.planChosen && flow.owner !== session.user.id
    return <Navigate to={isVisitorsPayment ? paths.dashboard : wanted} replace />
  }

  return (
    <CardPage
      title={step === 'code' ? 'Two-factor authentication' : tab === 'register' ? 'Register' : 'Log in'}
      above={<Brand />}
      below={<LegalLine />}
    >
      {step === 'code' ? (
        <TwoFactorForm onBack={() => setStep('password')} />
      ) : (
        <AuthTabs demo={session.demo} onCodeAsked={() => setStep('code')} onRegistered={() => setRegistered(true)} />
      )}
    </CardPage>
  )
}

function Brand() {
  return (
    <>
      <h1>
        <Logo />
      </h1>
      <p className="text-muted">The alerts and reports you wish Search Console would send.</p>
    </>
  )
}
