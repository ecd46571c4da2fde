import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import { Navigate, useLocation, useSearchParams } from 'react-router'
import type { z } from 'zod'
import { twoFactorCode, type TwoFactorCode } from '../../../contract/account/auth.ts'
import { sitePages } from '../../../contract/screens.ts'
import { firstScreen } from '../../../core/accounts/first-screen.ts'
import { ApiFailure, refusalText } from '../../api/client.ts'
import { confirmLogin, sessionQuery, showUser } from '../../api/session.ts'
import { showAtField } from '../../api/show-at-field.ts'
import { returnPath } from '../../lib/addresses.ts'
import { useOneTimeParam } from '../../lib/hooks/use-one-time-param.ts'
import { paths } from '../../paths.ts'
import { CardPage } from '../../shell/CardPage.tsx'
import { useSendsMail } from '../../shell/email.ts'
import { LegalLink } from '../../shell/LegalLink.tsx'
import { LoadingScreen } from '../../shell/LoadingScreen.tsx'
import { usePurchaseFlow } from '../../shell/purchase/purchase-flow-context.ts'
import { Button } from '../../ui/Button.tsx'
import { Checkbox } from '../../ui/form/Checkbox.tsx'
import { fieldOf } from '../../ui/form/field-of.ts'
import { Field } from '../../ui/form/Field.tsx'
import { Logo } from '../../ui/Logo.tsx'
import { toast } from '../../ui/overlay/toast.ts'
import { StepHeading } from '../../ui/StepHeading.tsx'
import { AuthTabs } from './AuthTabs.tsx'

export function AuthPage() {
  useAuthFailure()
  const location = useLocation()
  const tab = useSearchParams()[0].get('tab')
  // Somebody who returned from Google, and whose account also requires a code.
  const fromGoogle = useOneTimeParam('two-factor') !== null
  const [step, setStep] = useState<'password' | 'code'>(fromGoogle ? 'code' : 'password')
  const [registered, setRegistered] = useState(false)
  const { data: session } = useQuery(sessionQuery)
  const { flow } = usePurchaseFlow()
  if (session === undefined) return <LoadingScreen />
  if (session.user !== null) {
    const wanted = registered ? paths.choosePlan : returnPath(location.state, firstScreen(session.user.sitesMonitored))
    // A plan chosen as a visitor doesn't apply to somebody who has one.
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

function LegalLine() {
  return (
    <p className="mt-5 text-center text-sm text-balance text-muted">
      By continuing, you agree to our <LegalLink path={sitePages.terms} name="Terms of Service" /> and{' '}
      <LegalLink path={sitePages.privacy} name="Privacy Policy" />.
    </p>
  )
}

/** Shows why signing in with Google led back here (`error=`), and removes that from the URL. */
function useAuthFailure(): void {
  const error = useOneTimeParam('error')
  const sendsMail = useSendsMail()
  useEffect(() => {
    if (error === 'auth_failed') {
      toast.error('Authentication Failed', 'There was an issue connecting with Google. Please try again.')
    } else if (error === 'confirm_first') {
      toast.error(
        'Log in to connect Google',
        `An account with this address already exists. Log in with its password${sendsMail ? ', or use "Forgot password?" to prove the address is yours' : ''}.`,
      )
    } else if (error === 'only_synced') {
      toast.error(
        'Log in with your password',
        'This Google account is connected only to sync data. Log in with your password, then add it to your profile, under "Log in with Google."',
      )
    }
  }, [error, sendsMail])
}

/** The second step of a login. Once somebody is logged in, the page around this form redirects. */
function TwoFactorForm({ onBack }: { onBack: () => void }) {
  const client = useQueryClient()
  const form = useForm<z.input<typeof twoFactorCode>, unknown, TwoFactorCode>({
    resolver: zodResolver(twoFactorCode),
    defaultValues: { code: '', trustDevice: false },
  })
  const { setFocus } = form
  useEffect(() => setFocus('code'), [setFocus])
  const submit = useMutation({
    mutationFn: confirmLogin,
    onSuccess: (user) => showUser(client, user),
    onError: (error) => {
      toast.error('Login Failed', refusalText(error, 'Wrong code. Enter the current code from your app.'))
      if (showAtField(form, error)) return
      // The login itself has expired, or had too many attempts: start over.
      if (error instanceof ApiFailure && error.problem?.field === 'login') onBack()
    },
  })

  return (
    <>
      <StepHeading level={2} title="Two-factor authentication">
        Enter the 6-digit code from your authenticator app, or a recovery code.
      </StepHeading>
      <form noValidate className="flex flex-col gap-4" onSubmit={form.handleSubmit((values) => submit.mutate(values))}>
        <Field
          label="Code"
          autoComplete="one-time-code"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          {...fieldOf(form, 'code')}
        />
        <Checkbox label="Trust this browser for 30 days" {...form.register('trustDevice')} />
        <Button type="submit" variant="primary" className="w-full" disabled={submit.isPending}>
          {submit.isPending ? 'Logging in...' : 'Log in'}
        </Button>
        <Button variant="quiet" className="self-center" onClick={onBack}>
          Back
        </Button>
      </form>
    </>
  )
}
