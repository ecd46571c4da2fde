import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useForm, useWatch } from 'react-hook-form'
import { Link, useLocation } from 'react-router'
import { loginForm, type LoginForm as Values, registrationForm, type RegistrationForm } from '../../../contract/account/auth.ts'
import { demoLogin } from '../../../contract/demo.ts'
import { failureText, refusalText } from '../../api/client.ts'
import { login, register, showUser } from '../../api/session.ts'
import { showAtField } from '../../api/show-at-field.ts'
import { useAddress } from '../../lib/hooks/use-address.ts'
import { paths } from '../../paths.ts'
import { connectGoogle } from '../../shell/connect-google.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { fieldOf } from '../../ui/form/field-of.ts'
import { toast } from '../../ui/overlay/toast.ts'
import { Tabs } from '../../ui/Tabs.tsx'
import { NewPasswordField } from '../../widgets/NewPasswordField.tsx'

type AuthTabsProps = {
  demo: boolean
  /** The password was right, but the account also requires a code. */
  onCodeAsked: () => void
  /** Called before the screens learn who is signed in. */
  onRegistered: () => void
}

/** The open tab is in the URL, so that links can lead to either. */
export function AuthTabs({ demo, onCodeAsked, onRegistered }: AuthTabsProps) {
  const [params, change] = useAddress()
  const { state } = useLocation()
  const open = params.get('tab') === 'register' ? 'register' : 'login'

  function show(tab: string) {
    change(
      (before) => {
        if (tab === 'login') before.delete('tab')
        else before.set('tab', tab)
        return before
      },
      { replace: true, keepsPlace: false, state },
    )
  }

  const tabs = [
    { value: 'login', label: 'Login', content: <LoginForm demo={demo} onCodeAsked={onCodeAsked} /> },
    { value: 'register', label: 'Register', content: <RegisterForm onRegistered={onRegistered} /> },
  ]
  return (
    <>
      <Tabs label="Log in or register" tabs={tabs} value={open} onChange={show} />
      <div className="my-5 flex items-center gap-3 text-sm text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        or
      </div>
      <Button className="w-full" onClick={() => connectGoogle()}>
        Connect with Google Search Console
      </Button>
    </>
  )
}

/** Once somebody is logged in, the page around this form redirects. */
function LoginForm({ demo, onCodeAsked }: { demo: boolean; onCodeAsked: () => void }) {
  const client = useQueryClient()
  const form = useForm<Values>({ resolver: zodResolver(loginForm), defaultValues: { username: '', password: '' } })
  const submit = useMutation({
    mutationFn: login,
    onSuccess: async (answer) => {
      if (answer !== null && 'twoFactor' in answer) onCodeAsked()
      else await showUser(client, answer?.user ?? null)
    },
    onError: (error) => toast.error('Login Failed', refusalText(error, 'Invalid username or password')),
  })

  function fillInDemo() {
    // Not reset(), which unregisters the fields for a moment, so that none could be focused.
    form.clearErrors()
    form.setValue('username', demoLogin.username)
    form.setValue('password', demoLogin.password)
    form.setFocus('username')
  }

  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={form.handleSubmit((values) => submit.mutate(values))}>
      {demo && (
        <div className="flex flex-wrap items-center justify-between gap-2 rounded-control bg-brand-soft p-3">
          <p>
            Demo: <code>{demoLogin.username}</code> / <code>{demoLogin.password}</code>
          </p>
          <Button onClick={fillInDemo}>Fill in</Button>
        </div>
      )}
      <Field label="Username" autoComplete="username" autoCapitalize="none" spellCheck={false} {...fieldOf(form, 'username')} />
      <Field label="Password" type="password" autoComplete="current-password" {...fieldOf(form, 'password')} />
      <Button type="submit" variant="primary" className="w-full" disabled={submit.isPending}>
        {submit.isPending ? 'Logging in...' : 'Login'}
      </Button>
      <Link
        to={paths.forgotPassword}
        className="-my-2 inline-flex min-h-10 items-center self-center rounded-control px-2 font-medium text-brand hover:underline"
      >
        Forgot password?
      </Link>
    </form>
  )
}

const empty: RegistrationForm = { username: '', email: '', password: '', confirmPassword: '' }

/** A registered person is signed in, and the page around this form redirects. */
function RegisterForm({ onRegistered }: { onRegistered: () => void }) {
  const client = useQueryClient()
  const form = useForm<RegistrationForm>({ resolver: zodResolver(registrationForm), defaultValues: empty })
  const typed = useWatch({ control: form.control, name: 'password' })
  const own = useWatch({ control: form.control, name: ['username', 'email'] })
  const submit = useMutation({
    mutationFn: ({ username, email, password }: RegistrationForm) => register({ username, email, password }),
    onSuccess: async (user) => {
      toast.success('Registration Successful', 'Your account has been created successfully.')
      onRegistered()
      await showUser(client, user)
    },
    onError: (error) => {
      toast.error('Registration Failed', failureText(error, 'There was an error creating your account'))
      showAtField(form, error)
    },
  })

  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={form.handleSubmit((values) => submit.mutate(values))}>
      <Field label="Username" autoComplete="username" autoCapitalize="none" spellCheck={false} {...fieldOf(form, 'username')} />
      <Field label="Email" type="email" autoComplete="email" {...fieldOf(form, 'email')} />
      <NewPasswordField label="Password" typed={typed} own={own} {...fieldOf(form, 'password')} />
      <Field label="Confirm password" type="password" autoComplete="new-password" {...fieldOf(form, 'confirmPassword')} />
      <Button type="submit" variant="primary" className="w-full" disabled={submit.isPending}>
        {submit.isPending ? 'Creating Account...' : 'Create Account'}
      </Button>
    </form>
  )
}
