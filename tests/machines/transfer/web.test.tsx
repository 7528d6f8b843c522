// @vitest-environment happy-dom
import { gateWeb } from '../../surfaces/web/gate-web.tsx'
import { transferWeb } from './web.tsx'

const shut = 'closes the drawer and leaves the job to the server, not part of the machine'
const columns = 'one of three ways to choose columns; the model uses all and none'
const file = 'opens the browser’s file dialog; the model sets the file field'
const tabs = 'which of two panels is in front; both are rendered'
gateWeb(transferWeb, {
  survivors: {
    'jw-tr button 关闭': shut,
    'jw-tr__foot button 关闭': shut,
    'jw-tr__column input': columns,
    'jw-tr__column button': columns,
    'jw-drop__choose button': file,
    'jw-tr__file button 换一个文件': file,
    'jw-tr__body div': tabs,
    'jw-tr__field title': 'names of icons',
    'jw-tr__table title': 'names of icons',
    'jw-tr__ways title': 'names of icons',
    'jw-tr__table select 对应字段 学号': 'the first column: the model assigns the second',
    'jw-tr__field select 自动（编号列，没有时按唯一字段）a':
      'the same choice with nothing remembered; the model makes it with something remembered',
    'jw-tr__ways button 按此重新读取':
      'disabled until another sheet or heading is chosen; the choice is not part of the machine',
    'button 关闭': 'closes a toast, which also closes by itself',
    'jw-state__label': 'the text beside a spinner',
  },
})
