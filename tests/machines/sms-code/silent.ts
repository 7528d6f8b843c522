import type { SmsCodeInput, smsCodeMachine } from '@jiaowu/machines/sms-code/machine'
import { setup } from 'xstate'

/** Stands in for the code request on the bare machine of its parents: their models send what it answers. */
export const silentSmsCode = setup({
  types: { input: {} as SmsCodeInput, context: {} as SmsCodeInput },
}).createMachine({
  id: 'smsCode',
  context: ({ input: { purpose, facts, now } }) => ({ purpose, facts, now }),
}) as unknown as typeof smsCodeMachine
