import { Agent, get } from 'node:http';

/** What clients saw that ask one request after the other. */
interface ClientsReport {
  /** Answers, and how many of them said `Connection: close`. */
  answered: number;
  closing: number;
  /** Milliseconds of `performance.now()` at each refused connection: nothing listens any more. */
  refusedAt: number[];
  /** Everything else that is no answer: connections that were reset or cut, answers that are not 200. */
  failures: string[];
}

/** Clients that go on until `stop` is called, or until each of them is refused a connection. */
export interface SteadyClients {
  report: ClientsReport;
  stop(): void;
  ended: Promise<void>;
}

/** Clients in a loop: `kept` keep their connection as long as they may, `fresh` make a new one for each request. */
export function steadyClients(baseUrl: string, { kept, fresh }: { kept: number; fresh: number }): SteadyClients {
  const report: ClientsReport = { answered: 0, closing: 0, refusedAt: [], failures: [] };
  let isStopped = false;
  const loop = async (agent: Agent): Promise<void> => {
    while (!isStopped) {
      const { failure, isClosing } = await ask(`${baseUrl}/v1/platforms`, agent);
      if (failure === 'ECONNREFUSED') return void report.refusedAt.push(performance.now());
      if (failure !== null) report.failures.push(failure);
      else report.answered += 1;
      if (isClosing) report.closing += 1;
    }
    agent.destroy();
  };
  const clients = Array.from({ length: kept + fresh }, (_, index) =>
    loop(new Agent({ keepAlive: index < kept, maxSockets: 1 })),
  );
  return { report, stop: () => void (isStopped = true), ended: Promise.all(clients).then(() => {}) };
}

/** One request, read to its end; `failure` is the code of an error, or what is wrong with the answer. */
function ask(url: string, agent: Agent): Promise<{ failure: string | null; isClosing: boolean }> {
  return new Promise((resolve) => {
    const fail = (error: NodeJS.ErrnoException) => resolve({ failure: error.code ?? error.message, isClosing: false });
    const request = get(url, { agent }, (response) => {
      const isClosing = response.headers.connection === 'close';
      response.on('error', fail);
      response.on('end', () => {
        const { statusCode = 0, complete } = response;
        resolve({ failure: complete && statusCode === 200 ? null : `status ${statusCode}`, isClosing });
      });
      response.resume();
    });
    request.on('error', fail);
  });
}
