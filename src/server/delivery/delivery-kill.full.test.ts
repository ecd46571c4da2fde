import { expect, onTestFinished, test } from 'vitest'
import { startMortalDelivery } from '../../../test/support/mortal-delivery.ts'

test('between commit and send: it is sent by the server that comes back', async () => {
  const delivery = await startMortalDelivery()
  onTestFinished(() => delivery.close())
  await delivery.commit()
  await delivery.kill()
  expect(await delivery.workspace.messages()).toEqual([])
  await delivery.startAgain()
  await delivery.look()
  await delivery.allSent()
  expect(await delivery.workspace.messages()).toHaveLength(1)
})
