// @vitest-environment happy-dom
import { noticesModels } from '../../models/notices.model.ts'
import { registerModels } from '../../models/register.model.ts'
import { signInModels } from '../../models/sign-in.model.ts'
import { smsCodeModel, smsCodeModels } from '../../models/sms-code.model.ts'
import { gateWeb } from './gate-web.tsx'
import { registerOnScreen, registerScreen, signInOnScreen, signInScreen, smsOnScreen, smsScreen } from './student-door.tsx'
import { noticesOnScreen, noticesScreen } from './student-notices.tsx'

gateWeb(noticesModels, noticesOnScreen, noticesScreen)
gateWeb(signInModels, signInOnScreen, signInScreen)
gateWeb(registerModels, registerOnScreen, registerScreen)
gateWeb(smsCodeModels, smsOnScreen, () => smsScreen(smsCodeModel))
