// @vitest-environment happy-dom
import { gateWeb } from '../../surfaces/web/gate-web.tsx'
import { viewsWeb } from './web.tsx'

const otherView = 'the same button of another view'
gateWeb(viewsWeb, {
  survivors: {
    'jw-views-button button': 'opens the panel, which is always open here',
    'jw-column button': 'a second way to move a column, beside the grip: the browser journey',
    'button 关闭': 'closes a toast, which also closes by itself',
    'jw-view-dialog button 关闭': 'a second way to cancel',
    'jw-view-dialog title': 'names of icons',
    'jw-saved__star button 打开列表时先用「B」': otherView,
    'jw-saved__star button 打开列表时先用「A0」': otherView,
    'jw-saved__name button A0': otherView,
    'jw-saved__edit button 删除视图「A0」': otherView,
    'jw-saved__star button 打开列表时先用「N」': otherView,
    'jw-saved__name button N': otherView,
    'jw-saved__edit button 删除视图「N」': otherView,
    'jw-saved__edit button 编辑视图「N」': otherView,
    'jw-saved__star button 打开列表时不再先用': 'the same star, switched on',
  },
})
