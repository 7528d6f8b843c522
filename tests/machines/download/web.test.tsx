// @vitest-environment happy-dom
import { downloadModels } from './model.ts'
import { gateWeb } from '../../surfaces/web/gate-web.tsx'
import { downloadWeb } from './web.tsx'

const { pay = null, list = null, free = null, resume = null } = downloadModels.parts
function only(name: string, part: typeof list) {
  return {
    ...downloadModels,
    parts: part === null ? {} : { [name]: part },
  }
}

const oneFilter = 'one filter stands for the four: all of them are tried on the bare machine'

const frame = 'the frame around every page of the students: no machine’s'
const inList = 'tried where the list is looked at, below'
gateWeb(only('pay', pay), downloadWeb.onScreen, downloadWeb.makeScreen, {
  survivors: {
    'jw-stu__': frame,
    'jw-brand': frame,
    'jw-clock': frame,
    'jw-chip': inList,
    'jw-fee__head': inList,
    'jw-state__title': inList,
    'jw-way button 支付宝': 'does nothing yet',
    'button Close': 'waves a toast away; toasts go by themselves',
  },
})
// Each screen is broken where few paths lead to it.
gateWeb(only('list', list), downloadWeb.onScreen, downloadWeb.makeScreen, {
  places: /^jw-(?!look|stu__|brand|clock|steps)/,
  survivors: {
    'jw-fee__head': 'folded by the page itself',
    'jw-chip button 英文': oneFilter,
    'jw-chip button 成绩单': oneFilter,
    'jw-chip button 证明文件': oneFilter,
    'jw-sheet button 确认下载': 'pressed in the other concerns',
  },
})
gateWeb(only('free', free), downloadWeb.onScreen, downloadWeb.makeScreen, {
  places: /^jw-(?:look|method|way|done|failure)/,
  survivors: { 'jw-way button 支付宝': 'does nothing yet' },
})
gateWeb(only('resume', resume), downloadWeb.onScreen, downloadWeb.makeScreen, {
  places: /^jw-(?:scan|qr|failure|calm)/,
  survivors: {},
})
