// Every sentence of the service in Simplified Chinese, by its code. Short product language, 您, full-width punctuation, a space
// between Chinese and Latin letters or digits; names of unknown script stand in “”. Glossary: record 记录, record type 记录类型,
// field 字段, stage 阶段, view 视图, workflow 工作流, transition 流转, actor 处理人, owner 负责人, bulk 批量, policy 策略, role 角色,
// group 群组, job 任务, lead 线索, opportunity 商机, quote 报价单, key 密钥 (API) or 键, child 子记录, roll-up 汇总, lookup 查找,
// recycle bin 回收站, purge 永久删除, sign in 登录, sign up 注册, organization 组织, dashboard 仪表板, board 看板.
import { designs } from "./designs.ts";
import { failures } from "./failures.ts";
import { fields } from "./fields.ts";
import { formulas } from "./formulas.ts";
import { imports } from "./imports.ts";
import { mails } from "./mails.ts";
import { people } from "./people.ts";
import { queries } from "./queries.ts";
import { records } from "./records.ts";
import { verbs } from "./verbs.ts";
import { webhooks } from "./webhooks.ts";

export const chinese = {
  ...designs,
  ...failures,
  ...fields,
  ...formulas,
  ...imports,
  ...mails,
  ...people,
  ...queries,
  ...records,
  ...verbs,
  ...webhooks,
} as const;
