// The script of the frame that draws a chart: see ChartFrame.
export {};
