/** How a running service reports about itself: its log, its health and its metrics, fed by the same events. */
import type { LayerName } from '../contract/layers.ts';
import type { Exchange } from './exchange.ts';
import { FolderStatus, Health } from './health.ts';
import type { BuildReport } from '../write/writing.ts';
import { createLog, type LogLevel, logError, logExchange } from './log.ts';
import type { Metrics } from './metrics.ts';
import { listen } from './run.ts';

interface ReportingOptions {
  /** Folder of the snapshot. */
  out: string;
  layers: readonly LayerName[];
  logLevel: LogLevel;
  /** Texts that the log must not contain. */
  secrets: readonly (string | undefined)[];
  /** Where the metrics are served; undefined for no metrics. */
  metrics: { host: string; port: number } | undefined;
}

export type Reporting = Awaited<ReturnType<typeof startReporting>>;

/** @throws UserError if the port of the metrics cannot be opened */
export async function startReporting(options: ReportingOptions) {
  const log = createLog(options.logLevel, options.secrets);
  const health = new Health(new FolderStatus(options.out, options.layers));
  let metrics: Metrics | undefined;
  const onError = (error: unknown) => {
    logError(log, error);
    health.failed(error);
    metrics?.failed();
  };
  const served = options.metrics && (await serveMetrics(health, options.metrics, onError));
  metrics = served?.metrics;
  return {
    log,
    health,
    onError,
    onBuild(report: BuildReport) {
      log.debug(report, 'build');
      health.built(report);
      metrics?.built(report);
    },
    onAnswered(exchange: Exchange) {
      logExchange(log, exchange);
      metrics?.answered(exchange);
    },
    /** Such as http://127.0.0.1:9464/metrics. */
    metricsAddress: served?.address,
    close: () => served?.close(),
  };
}

async function serveMetrics(
  health: Health,
  { host, port }: { host: string; port: number },
  onError: (error: unknown) => void,
) {
  const { createMetrics, metricsPath, metricsServer } = await import('./metrics.ts');
  const metrics = createMetrics(health);
  const app = metricsServer(metrics);
  await app.ready();
  const address = `${await listen(app.server, port, host, onError, '--metrics')}${metricsPath}`;
  const close = () => {
    app.server.closeAllConnections();
    void app.close();
  };
  return { metrics, address, close };
}
