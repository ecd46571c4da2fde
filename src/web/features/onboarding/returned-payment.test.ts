import { expect, test } from 'vitest'
import { returnedPayment, withoutPayment } from './returned-payment.ts'

const query = (text: string) => new URLSearchParams(text)

test.each(['succeeded', 'failed', 'processing'])('a payment that has %s returns with its secret', (status) => {
  const address = query(`payment_intent=pi_1&payment_intent_client_secret=pi_1_secret_2&redirect_status=${status}`)
  expect(returnedPayment(address)).toEqual({ status, clientSecret: 'pi_1_secret_2' })
})

test('a payment with an unknown outcome is looked up', () => {
  expect(returnedPayment(query('payment_intent=pi_1'))).toEqual({ status: 'processing', clientSecret: null })
})

test('a visit from elsewhere has no payment', () => {
  expect(returnedPayment(query('connected=true'))).toBeNull()
})

test('the URL keeps everything else', () => {
  const address = query('connected=true&payment_intent=pi_1&payment_intent_client_secret=s&redirect_status=failed')
  expect(withoutPayment(address).toString()).toBe('connected=true')
})
