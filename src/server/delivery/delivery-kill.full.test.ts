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

test('between send and mark: it may come twice, and is never marked without having been sent', async () => {
  const delivery = await startMortalDelivery()
  onTestFinished(() => delivery.close())
  // The message arrives; the answer to it does not, before the server is gone.
  await delivery.workspace.fail({ hang: true, executed: true })
  await delivery.commit()
  await delivery.look()
  await delivery.workspace.message()
  await delivery.kill()
  await delivery.startAgain()
  await delivery.look()
  await delivery.allSent()
  expect(await delivery.workspace.messages()).toHaveLength(2)
  // Nothing was noted of the attempt that was cut off: the one that is counted is that of the server that came back.
  expect(await delivery.sql('SELECT attempts FROM notifications')).toEqual([{ attempts: 1 }])
})
