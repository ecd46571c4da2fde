import { Article, type Chapter } from '../parts/Article.tsx'
import { browserStorage } from './browser-storage.tsx'
import { recipients } from './recipients.tsx'
import { rights } from './rights.tsx'
import { stored } from './stored.tsx'

const responsible: Chapter = {
  id: 'who',
  title: 'Who is responsible',
  content: (
    <>
      <p>
        Ranklark is software that people and companies run on machines of their own. Whoever runs this installation, “the operator”, decides
        who may use it and answers for what is stored in it: the person who gave you this address, or you yourself. Those who make Ranklark
        run no part of it, and get no data from it: it has no telemetry and calls nobody at home.
      </p>
      <p>
        An operator may add to this page, for instance an address to write to and the law they act under. What follows is what the software
        does, whoever runs it.
      </p>
    </>
  ),
}

export function PrivacyPage() {
  return (
    <Article
      title="Privacy Policy"
      description="What this installation of Ranklark stores, what leaves it and when, and how to take your data along or have it deleted."
      intro={<p>What is stored and where, what leaves this installation and when, and how you get your data out or have it deleted.</p>}
      chapters={[responsible, stored, recipients, browserStorage, rights]}
    />
  )
}
