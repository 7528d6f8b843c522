import type { ServerHandlers } from '../../model/context.ts'
import { endByProvider } from '../sso/end-by-provider.ts'
import { beginProof, endProof } from '../sso/prove.ts'
import {
  enterByCode,
  listProviders,
  returnFromProvider,
  signOff,
  startSignOn,
} from '../sso/sign-on.ts'

export const ssoHandlers: ServerHandlers['sso'] = {
  providers: ({ query: { tenant } }, context) => listProviders(context, tenant),
  start: ({ params, query }, context) => startSignOn(context, params.provider, query.redirect),
  callback: ({ params }, context) => returnFromProvider(context, params.provider),
  enter: ({ params, body }, context) => enterByCode(context, params.provider, body.code),
  prove: ({ params }, context) => beginProof(context, params.provider),
  proven: ({ params, body }, context) => endProof(context, params.provider, body.code),
  backchannel: ({ params, body }, context) =>
    endByProvider(context, params.provider, body.logout_token),
  logout: ({ params }, context) => signOff(context, params.provider),
}
